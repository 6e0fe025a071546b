// OsrSearch: for each access of a trace, an earlier one that it races with in OSR's sense
// (Shi, Mathur, Pavlogiannis, ICSE 2024), and the schedule that shows it.
//
// Not thread-safe.
#ifndef PREDRACE_ENGINES_OSR_SEARCH_H
#define PREDRACE_ENGINES_OSR_SEARCH_H

#include <cstdint>
#include <functional>
#include <vector>

#include "runtime/engines/candidates.h"
#include "runtime/engines/osr_graph.h"
#include "runtime/engines/osr_set.h"
#include "runtime/engines/recorded_trace.h"

namespace predrace {

class OsrSearch {
 public:
  // REQUIRES: the trace outlives it.
  explicit OsrSearch(const RecordedTrace& trace)
      : trace_(trace), set_(trace), graph_(trace), candidates_(trace) {}

  // Is an earlier access at that site of interest? Empty: all are.
  using Wanted = std::function<bool(uint32_t site)>;

  // The earlier access, or kNone. To be called for accesses in the order of the trace; only those it
  // was called for count as earlier.
  uint32_t racesWith(uint32_t j, const Wanted& wanted);
  // Do these two race? REQUIRES: i < j conflict.
  bool race(uint32_t i, uint32_t j);

  // Of the race found last: the ids of the events to run, in their order.
  std::vector<uint32_t> schedule() { return graph_.order(set_.cut(), set_.reversed()); }

 private:
  uint32_t among(const Candidates::Group& group, const Wanted& wanted);

  const RecordedTrace& trace_;
  OsrSet set_;
  OsrGraph graph_;
  Candidates candidates_;
};

}  // namespace predrace

#endif  // PREDRACE_ENGINES_OSR_SEARCH_H
