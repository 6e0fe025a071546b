// OsrEngine: optimistic sync-reversal races (Shi, Mathur, Pavlogiannis, "Optimistic Prediction of
// Synchronization-Reversal Data Races", ICSE 2024).
//
// Two accesses race if the events that they need (OsrSet) can be put in an order (OsrGraph) that keeps
// conflicting accesses and closed sections as they were in the trace, but may run sections that stay open
// later than it did. Every race is real, however many came before it: its witness is that order.
//
// Reports one race for each access that has any with an earlier one. Decides at the end of the trace.
// Time is quadratic in its length at worst: each access against each earlier one, and each time all the
// sections that have to be closed. It is near-linear in practice, because
// - Candidates leaves out accesses that can never meet, most of them;
// - accesses ordered in any case are passed over at once, and so are those that a lock forbids for good;
// - of each thread the first access that is left mostly gives a race, and then the others are not tried;
// - the graph has only as many nodes as there are open sections out of their order, often none.
//
// Not thread-safe.
#ifndef PREDRACE_ENGINES_OSR_H
#define PREDRACE_ENGINES_OSR_H

#include "runtime/engines/recording.h"

namespace predrace {

class OsrEngine final : public RecordingEngine {
 public:
  using RecordingEngine::RecordingEngine;

 private:
  void decide(const RecordedTrace& trace) override;
};

}  // namespace predrace

#endif  // PREDRACE_ENGINES_OSR_H
