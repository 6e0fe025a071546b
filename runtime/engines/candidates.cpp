#include "runtime/engines/candidates.h"

#include <algorithm>

namespace predrace {
namespace {

// What all accesses of a variable have in common.
struct Habits {
  static constexpr size_t kLocks = 32;  // more are not looked at

  uint32_t thread = kNone;   // of the first access, and of all unless `several`
  uint32_t lockset = kNone;  // of the first access
  uint32_t locks = ~0u;      // which of its locks protect all accesses, as bits
  bool several = false, written = false;

  void add(const Event& e, uint32_t held, const Locksets& locksets) {
    bool first = thread == kNone, writing = writes(e.op);
    if (first) {
      thread = e.thread;
      lockset = held;
    }
    several |= thread != e.thread;
    if (first || lockset != held || (writing && !written))
      keep(locksets.locks(lockset), locksets.locks(held), writing);
    written |= writing;
  }
  bool canRace() const { return several && written && !locks; }

 private:
  // Writers are kept apart from everybody by a lock only if they hold it exclusively.
  void keep(std::span<const uint32_t> first, std::span<const uint32_t> held, bool writing) {
    uint32_t protects = 0;
    for (size_t k = 0; k < std::min(first.size(), kLocks); ++k)
      for (uint32_t h : held)
        if (Locksets::lockOf(h) == Locksets::lockOf(first[k]) && !(writing && Locksets::isShared(h)))
          protects |= 1u << k;
    locks &= protects;
  }
};

}  // namespace

Candidates::Candidates(const RecordedTrace& trace) : trace_(trace), number_(trace.variables(), kNone) {
  std::vector<Habits> habits(trace.variables());
  for (uint32_t i = 0; i < trace.size(); ++i) {
    const Event& e = trace.event(i);
    if (isAccess(e.op)) habits[e.target].add(e, trace.locksetAt(i), trace.locksets());
  }
  for (uint32_t v = 0; v < trace.variables(); ++v) {
    if (!habits[v].canRace()) continue;
    number_[v] = static_cast<uint32_t>(contested_.size());
    contested_.emplace_back();
  }
}

bool Candidates::disjoint(uint32_t a, uint32_t b) const {
  if (a == Locksets::kEmpty || b == Locksets::kEmpty) return true;
  std::span<const uint32_t> x = trace_.locksets().locks(a), y = trace_.locksets().locks(b);
  size_t i = 0, k = 0;
  while (i < x.size() && k < y.size()) {
    uint32_t p = Locksets::lockOf(x[i]), q = Locksets::lockOf(y[k]);
    if (p == q && !(Locksets::isShared(x[i]) && Locksets::isShared(y[k]))) return false;
    // A set may have a lock in both modes: let the smaller member go first.
    if (x[i] < y[k])
      ++i;
    else
      ++k;
  }
  return true;
}

uint32_t Candidates::add(uint32_t j) {
  const Event& e = trace_.event(j);
  cp::Kind kind = cp::kindOf(e.op);
  uint32_t lockset = trace_.locksetAt(j);
  std::vector<SameLocks>& all = contested_[number_[e.target]];
  SameLocks* same = nullptr;
  for (SameLocks& s : all)
    if (s.lockset == lockset) same = &s;
  if (!same) same = &all.emplace_back(SameLocks{lockset, 0, {}});
  same->kinds |= cp::bit(kind);
  for (Group& g : same->groups) {
    if (g.thread != e.thread || g.kind != kind) continue;
    g.accesses.push_back(j);
    return g.number;
  }
  same->groups.push_back({groups_, e.thread, kind, {j}});
  return groups_++;
}

}  // namespace predrace
