// Decision: can these two accesses be next to each other? (M2's RaceDecision, Algorithm 5.)
//
// The events to run first are the cut of what must precede both accesses and, in the
// other threads, of the releases of all sections that it has begun. Then
// (1) if no section that stays open is followed by a conflicting one, trace order is a schedule;
// (2) otherwise the order that all schedules keep is closed (m2_closure.h); a cycle means no;
// (3) then, for either of the two threads, all conflicting events of the other threads that
//     are still unordered are ordered as in the trace, in the trace's order of the later and then
//     of the earlier one, and the order is closed after each. If that makes no cycle, the schedule
//     runs the events of the one thread as early as the order allows.
//
// Traces are long and what is reordered is near its end, so (2) and (3) look at a window of the cut
// first: its events from a little before the first open section on. Two orders are kept:
// `sure_` is at most, and `possible_`, in which all that is before the window stays there, at
// least the order in the whole cut. A cycle in the former is a no. If the latter gets none, and
// no pair of (3) is ordered against the trace in it that is unordered in the former, both
// make the same choices as the whole cut, and it is a yes. Else a larger window is tried, at last the whole
// cut, where both are the same.
//
// Not thread-safe.
#ifndef PREDRACE_ENGINES_M2_DECISION_H
#define PREDRACE_ENGINES_M2_DECISION_H

#include <cstdint>
#include <vector>

#include "runtime/engines/m2_closure.h"
#include "runtime/engines/m2_maps.h"
#include "runtime/engines/recorded_trace.h"

namespace predrace::m2 {

class Decision {
 public:
  // The first window has so many events of the trace, or some more, before what is reordered; verdicts do not
  // depend on it.
  static constexpr uint32_t kMargin = 16;

  // REQUIRES: the trace outlives it.
  explicit Decision(const RecordedTrace& trace, uint32_t margin = kMargin)
      : trace_(trace), maps_(trace), window_(trace, maps_), margin_(margin) {}
  Decision(const Decision&) = delete;
  Decision& operator=(const Decision&) = delete;

  struct Verdict {
    bool race;
    bool certain;  // if it is no race: no schedule at all can show it (the paper's dynamic completeness)
  };
  // REQUIRES: i < j conflict.
  Verdict decide(uint32_t i, uint32_t j);
  // The ids of the schedule's events. REQUIRES: the last verdict was a race.
  std::vector<uint32_t> schedule() const;

 private:
  enum class Outcome : uint8_t { Race, Never, NotFound, Unclear };

  bool addReleases(uint32_t i, uint32_t j);
  bool openSectionsExclude() const;
  uint32_t firstLate() const;
  bool openSectionMustEnd() const;
  Outcome decideIn(uint32_t start, uint32_t i, uint32_t j);
  Outcome arrange(uint32_t thread);
  Outcome arrangePair(uint32_t a, uint32_t b);
  void collectConflicts(uint32_t later, uint32_t thread);

  const RecordedTrace& trace_;
  Maps maps_;
  Window window_;
  const uint32_t margin_;
  Cut cut_;
  bool reordered_ = false;  // the last verdict's schedule is not trace order
  bool whole_ = false;      // the window is the whole cut: possible_ is not used
  uint32_t early_ = 0;      // the thread whose events the schedule runs early
  ClosedOrder closed_, closedPossible_, sure_, possible_;
  std::vector<uint32_t> events_, conflicts_;
};

}  // namespace predrace::m2

#endif  // PREDRACE_ENGINES_M2_DECISION_H
