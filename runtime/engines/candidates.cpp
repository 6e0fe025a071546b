#include "runtime/engines/candidates.h"

#include <algorithm>

#include "runtime/engines/habits.h"

namespace predrace {

Candidates::Candidates(const RecordedTrace& trace) : trace_(trace), number_(trace.variables(), kNone) {
  std::vector<Habits> habits(trace.variables());
  for (uint32_t i = 0; i < trace.size(); ++i) {
    const Event& e = trace.event(i);
    if (isAccess(e.op)) habits[e.target].add(e.op, e.thread, trace.locksetAt(i), trace.locksets());
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
    join(g, j, e.site);
    return g.number;
  }
  join(same->groups.emplace_back(Group{groups_, e.thread, kind, {}, {}}), j, e.site);
  return groups_++;
}

void Candidates::join(Group& g, uint32_t j, uint32_t site) {
  g.accesses.push_back(j);
  if (g.sites.size() <= Group::kSites && std::ranges::find(g.sites, site) == g.sites.end())
    g.sites.push_back(site);
}

}  // namespace predrace
