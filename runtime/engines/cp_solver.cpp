#include "runtime/engines/cp_solver.h"

#include <algorithm>

namespace predrace::cp {

Unknown* Solver::open(uint32_t lock, uint32_t k, uint32_t J, uint32_t beforeLane, Epoch beforeOwn) {
  auto* u = new (pool_.take(BlockPool::classOf(sizeof(Unknown)))) Unknown{.lock = lock,
                                                                          .k = k,
                                                                          .J = J,
                                                                          .given = {},
                                                                          .beforeLane = beforeLane,
                                                                          .beforeOwn = beforeOwn,
                                                                          .needs = {}};
  Lock& l = locks_[lock];
  if (J > l.zero) u->given = locks_.at(l, J).end();
  ++l.unknowns;
  if (freeSlots_.empty()) {
    freeSlots_.push_back(static_cast<uint32_t>(open_.size()));
    open_.push_back(nullptr);
  }
  u->place = freeSlots_.back();
  freeSlots_.pop_back();
  open_[u->place] = u;
  hold(u);  // by its slot
  return u;
}

void Solver::freeSlot(uint32_t slot) {
  freeSlots_.push_back(slot);
  release(pool_, open_[slot]);
  open_[slot] = nullptr;
}

void Solver::decide(Unknown* u) {
  u->final = true;
  u->needs.clear();
  locks_.decided(u->lock);
  ++version_;
}

void Solver::raise(Unknown* u, uint32_t j) {
  u->J = j;
  u->given = locks_.at(locks_[u->lock], j).end();
  ++version_;
  if (j + 1 < u->k || !u->open) return;
  decide(u);
  closeSlot(u->place, SlotSet());
}

SlotSet Solver::slotsOf(const UnknownSet& on) const {
  SlotSet out;
  for (const Unknown* u : on) {
    if (u->final) continue;
    if (u->open)
      out.add(u->place);
    else
      out.add(groups_[u->place].slots);
  }
  return out;
}

uint32_t Solver::groupOf(const SlotSet& slots) {
  for (uint32_t g : live_)
    if (groups_[g].slots == slots) return g;
  if (freeGroups_.empty()) {
    freeGroups_.push_back(static_cast<uint32_t>(groups_.size()));
    groups_.emplace_back();
  }
  uint32_t g = freeGroups_.back();
  freeGroups_.pop_back();
  live_.push_back(g);
  groups_[g].slots = slots;
  return g;
}

void Solver::close(Unknown* u) {
  uint32_t slot = u->place;
  SlotSet rest = slotsOf(u->needs);
  rest.remove(slot);
  u->open = false;
  if (rest.empty() && std::ranges::none_of(live_, [&](uint32_t g) { return groups_[g].slots.has(slot); })) {
    relax({&u, 1});  // depends on nothing open, and nothing depends on it: the common case
    decide(u);
    freeSlot(slot);
    return;
  }
  SlotSet own;
  own.add(slot);
  uint32_t g = groupOf(rest.empty() ? own : rest);
  hold(u);
  groups_[g].sections.push_back(u);
  u->place = g;
  ++closed_;
  closeSlot(slot, rest);
}

void Solver::wait(Check* check, const UnknownSet& on) {
  groups_[groupOf(slotsOf(on))].checks.push_back(check);
  ++checks_;
}

void Solver::closeSlot(uint32_t slot, const SlotSet& instead) {
  bool touched = false;
  for (uint32_t g : live_) {
    if (!groups_[g].slots.has(slot)) continue;
    groups_[g].slots.remove(slot);
    groups_[g].slots.add(instead);
    touched = true;
  }
  freeSlot(slot);
  if (!touched) return;
  mergeEqual();
  solveFree();
}

void Solver::mergeEqual() {
  for (size_t i = 0; i < live_.size(); ++i) {
    for (size_t j = i + 1; j < live_.size();) {
      if (!(groups_[live_[i]].slots == groups_[live_[j]].slots)) {
        ++j;
        continue;
      }
      Group& into = groups_[live_[i]];
      Group& from = groups_[live_[j]];
      for (Unknown* u : from.sections) u->place = live_[i];
      into.sections.insert(into.sections.end(), from.sections.begin(), from.sections.end());
      into.checks.insert(into.checks.end(), from.checks.begin(), from.checks.end());
      from.sections.clear();
      from.checks.clear();
      freeGroups_.push_back(live_[j]);
      live_[j] = live_.back();
      live_.pop_back();
    }
  }
}

void Solver::solveFree() {
  auto free = std::ranges::find_if(live_, [&](uint32_t g) { return groups_[g].slots.empty(); });
  if (free == live_.end()) return;
  uint32_t g = *free;
  *free = live_.back();
  live_.pop_back();
  relax(groups_[g].sections);
  closed_ -= groups_[g].sections.size();
  checks_ -= groups_[g].checks.size();
  for (Unknown* u : groups_[g].sections) {
    decide(u);
    release(pool_, u);
  }
  ready_.insert(ready_.end(), groups_[g].checks.begin(), groups_[g].checks.end());
  groups_[g].sections.clear();
  groups_[g].checks.clear();
  freeGroups_.push_back(g);
}

// Dependencies are circular through nesting: iterate until stable.
void Solver::relax(std::span<Unknown* const> sections) {
  for (bool changed = true; changed;) {
    changed = false;
    for (Unknown* u : sections) {
      Lock& l = locks_[u->lock];
      uint32_t J = u->J;
      for (const Unknown* d : u->needs)
        if (d->given) J = locks_.locate(l, d->given, u->k, J);
      if (J == u->J) continue;
      u->J = J;
      u->given = locks_.at(l, J).end();
      ++version_;
      changed = true;
    }
  }
}

Moment Solver::greatest(const Unknown* u) const {
  if (u->final) return u->given;
  if (!u->open) return bounds_[u->place].given;
  return locks_.at(locks_[u->lock], u->k - 1).end();
}

void Solver::bound(bool give) {
  std::vector<Unknown*> all;
  for (uint32_t g : live_) all.insert(all.end(), groups_[g].sections.begin(), groups_[g].sections.end());
  relax(all);
  bounds_.clear();
  for (Unknown* u : all) {
    bounds_.push_back({u, u->place, u->J, u->given});
    u->place = static_cast<uint32_t>(bounds_.size() - 1);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (Bound& b : bounds_) {
      Lock& l = locks_[b.section->lock];
      uint32_t J = b.J;
      for (const Unknown* d : b.section->needs) {
        Moment most = greatest(d);
        if (most) J = locks_.locate(l, most, b.section->k, J);
      }
      if (J == b.J) continue;
      b.J = J;
      b.given = locks_.at(l, J).end();
      changed = true;
    }
  }
  if (!give) return;
  for (Bound& b : bounds_) {
    b.section->J = b.J;
    b.section->given = b.given;
  }
  ++version_;
}

void Solver::settleBounds() {
  for (Bound& b : bounds_) b.section->place = b.group;
  for (Bound& b : bounds_)
    if (b.J == b.section->J) decide(b.section);
  bounds_.clear();
  for (size_t i = 0; i < live_.size();) {
    Group& g = groups_[live_[i]];
    closed_ -= std::erase_if(g.sections, [&](Unknown* u) {
      if (!u->final) return false;
      release(pool_, u);
      return true;
    });
    if (!g.sections.empty() || !g.checks.empty()) {
      ++i;
      continue;
    }
    freeGroups_.push_back(live_[i]);
    live_[i] = live_.back();
    live_.pop_back();
  }
}

uint32_t Solver::lowestJ(uint32_t lock) const {
  uint32_t lowest = ~0u;
  auto look = [&](const Unknown* u) {
    if (u && u->lock == lock && !u->final) lowest = std::min(lowest, u->J);
  };
  for (const Unknown* u : open_) look(u);
  for (uint32_t g : live_)
    for (const Unknown* u : groups_[g].sections) look(u);
  return lowest;
}

void Solver::order(uint32_t lock, uint32_t k) {
  std::vector<Unknown*> later;
  auto look = [&](Unknown* u) {
    if (u && u->lock == lock && !u->final && u->J < k && u->k > k) {
      hold(u);
      later.push_back(u);
    }
  };
  for (Unknown* u : open_) look(u);
  for (uint32_t g : live_)
    for (Unknown* u : groups_[g].sections) look(u);
  for (Unknown* u : later) {
    if (!u->final && u->J < k) raise(u, k);
    release(pool_, u);
  }
}

}  // namespace predrace::cp
