#include "runtime/engines/osr_search.h"

#include <algorithm>

namespace predrace {

uint32_t OsrSearch::racesWith(uint32_t j, const Wanted& wanted) {
  if (!candidates_.contested(j)) return kNone;
  uint32_t found = kNone;
  bool started = false;
  candidates_.against(j, [&](const Candidates::Group& g) {
    if (wanted && g.sites.size() <= Candidates::Group::kSites && std::ranges::none_of(g.sites, wanted))
      return false;
    if (!started) set_.start(j);
    started = true;
    found = among(g, wanted);
    return found != kNone;
  });
  candidates_.add(j);
  return found;
}

// From the earliest access on, so that one set only grows.
uint32_t OsrSearch::among(const Candidates::Group& group, const Wanted& wanted) {
  auto ordered = [&](uint32_t i) { return set_.mustPrecede(group.thread, i); };
  if (ordered(group.accesses.back())) return kNone;
  set_.restart();
  for (auto i = std::ranges::partition_point(group.accesses, ordered); i != group.accesses.end(); ++i) {
    if (wanted && !wanted(trace_.event(*i).site)) continue;
    set_.extend(*i);
    OsrSet::Fit fit = set_.fit();
    if (fit == OsrSet::Fit::Never) break;
    if (fit == OsrSet::Fit::Yes && graph_.acyclic(set_.cut(), set_.reversed())) return *i;
  }
  return kNone;
}

bool OsrSearch::race(uint32_t i, uint32_t j) {
  set_.start(j);
  if (set_.mustPrecede(trace_.event(i).thread, i)) return false;
  set_.extend(i);
  return set_.fit() == OsrSet::Fit::Yes && graph_.acyclic(set_.cut(), set_.reversed());
}

}  // namespace predrace
