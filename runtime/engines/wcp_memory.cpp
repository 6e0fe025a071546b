// Memory: which sections can still matter, and what to give up when there is too much. The
// sweep is exact; everything else here adds order, and so can only hide races.
#include <algorithm>
#include <utility>
#include <vector>

#include "runtime/engines/wcp_analysis.h"

namespace predrace::wcp {

// Keeps the sections that rules (a) and (b) can still ask for. (a): those that a rule of a
// variable names. (b): J is found by a search with P of a release to come, which is a union
// of: P of threads and lists, H of what hard order or HB has still to pass on, H of the kept
// sections. For a union the search finds the greatest of what it finds for each; so what
// each of these finds is kept, and nothing else is ever found.
void Analysis::sweep() {
  std::vector<const Section*> found;
  size_t searches = 0;
  auto keep = [&](Section* s) {
    if (!s || s->kept) return;
    s->kept = true;
    found.push_back(s);
  };
  auto search = [&](const auto& clock) {
    for (uint32_t id = 1; id < locks_.count(); ++id) keep(locks_[id].locate(clock));
    searches += locks_.count();
  };
  auto keepOrPrune = [&](const Rule& r) {
    if (dead(r)) return true;
    keep(locks_[r.lock()].find(r.last));
    keep(locks_[r.lock()].find(r.other));
    return false;
  };
  variables_.prune(keepOrPrune);
  objects_.prune(keepOrPrune);
  for (const Thread& t : threads_) {
    search(now(t));
    search(t.P);
  }
  for (uint32_t id = 1; id < locks_.count(); ++id) {
    Lock& l = locks_[id];
    search(l.P);
    if (l.count()) keep(&l.sections.back());
  }
  for (const std::vector<Moment>* moments : {&forked_, &ended_})
    for (const Moment& m : *moments)
      if (m) search(m);
  for (size_t c = 0; c < channels_.chunks(); ++c)
    for (uint32_t i = 0; channels_.chunk(c) && i < channels_.kChunk; ++i)
      if (const Moment& m = channels_.chunk(c)[i].sent) search(m);
  while (!found.empty()) {
    const Section* s = found.back();
    found.pop_back();
    search(*s);
  }
  for (uint32_t id = 1; id < locks_.count(); ++id)
    locks_.eraseIf(locks_[id], [](Section& s) { return !std::exchange(s.kept, false); });
  // Not again before as much has happened as this has cost.
  size_t cost = searches / 64 + variables_.chunks() * Variables::kChunk / 16;
  sweepAt_ = locks_.sections() + std::max({size_t{options_.sections}, locks_.sections(), cost});
}

// From now on this section of the list, and those before it, count as before all later ones.
void Analysis::order(uint32_t list, uint32_t section) {
  Lock& l = locks_[list];
  if (section <= l.ordered) return;
  auto s = std::lower_bound(l.sections.begin() + l.first, l.sections.end(), section,
                            [](const Section& a, uint32_t n) { return a.number < n; });
  bool open = s == l.sections.end();
  for (Thread& t : threads_)
    for (Hold& h : t.held) {
      bool later = h.list == list || h.main == (l.main && !h.shared ? l.main : list);
      if (open)
        h.whole |= h.section == section;
      else if (later)
        s->joinInto(pool_, t.P);
    }
  if (open) return;
  s->joinInto(pool_, l.P);
  l.raised = true;
  locks_.order(l, &*s);
}

// The numbers of sections run out: they start anew, all sections so far being ordered.
void Analysis::restart() {
  for (uint32_t id = 1; id < locks_.count(); ++id) {
    Lock& l = locks_[id];
    if (l.count()) {
      order(id, l.sections.back().number);
      l.sections.back().number = 0;
    }
    if (l.ordered != kNone) l.ordered = 0;
  }
  auto all = [](const Rule&) { return true; };
  variables_.prune(all);
  objects_.prune(all);
  latest_ = 0;
  for (Thread& t : threads_)
    for (Hold& h : t.held) {
      h.section = ++latest_;
      h.given = 0;
      h.whole = true;
    }
}

size_t Analysis::memoryBytes() const {
  return pool_.memoryBytes() + locks_.memoryBytes() + variables_.memoryBytes() + objects_.memoryBytes() +
         channels_.memoryBytes() + lanes_.memoryBytes() +
         (forked_.capacity() + ended_.capacity()) * sizeof(Moment) + threads_.capacity() * sizeof(Thread);
}

// The older half of each list's sections.
uint64_t Analysis::foldSections() {
  size_t before = locks_.sections();
  for (uint32_t id = 1; id < locks_.count(); ++id) {
    Lock& l = locks_[id];
    if (l.count() < 2) continue;
    order(id, l.sections[l.first + l.count() / 2].number);
    locks_.eraseIf(l, [](const Section&) { return false; });
  }
  return before - locks_.sections();
}

// Variables in the order of their last use, a chunk at a time. A section that rule (a)
// can then not find any more counts as before all later ones of its list.
uint64_t Analysis::foldVariables(size_t targetBytes) {
  std::vector<std::pair<uint64_t, size_t>> byUse;
  auto inChunk = [&](size_t chunk, auto action) {
    for (uint32_t i = 0; i < Variables::kChunk; ++i)
      action(static_cast<uint32_t>(chunk) * Variables::kChunk + i);
  };
  for (size_t c = 0; c < variables_.chunks(); ++c) {
    if (!variables_.has(c)) continue;
    uint64_t latest = 0;
    bool raced = false;
    inChunk(c, [&](uint32_t x) {
      Variable& v = variables_[x];
      raced |= v.raced;
      Variables::forEach(v, [&](const Access& a) { latest = std::max(latest, a.index); });
    });
    if (!raced) byUse.emplace_back(latest, c);
  }
  std::ranges::sort(byUse);
  uint64_t folded = 0;
  for (auto [latest, c] : byUse) {
    if (memoryBytes() <= targetBytes) break;
    inChunk(c, [&](uint32_t x) {
      Variables::forEach(variables_[x], [&](const Access&) { ++folded; });
      Variables::forEachRule(variables_.rules(x), [&](const Rule& r) { order(r.lock(), r.last); });
    });
    variables_.dropChunk(c);
  }
  return folded;
}

uint64_t Analysis::fold(size_t targetBytes) {
  if (memoryBytes() <= targetBytes) return 0;
  sweep();
  uint64_t folded = 0;
  while (memoryBytes() > targetBytes) {
    uint64_t sections = foldSections();
    if (!sections) break;
    folded += 2 * sections;
  }
  if (memoryBytes() > targetBytes) folded += foldVariables(targetBytes);
  return folded;
}

}  // namespace predrace::wcp
