#include "runtime/engines/candidates.h"

namespace predrace {

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
  std::vector<SameLocks>& all = variables_[e.target];
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
