// SyncPEngine: sync-preserving races (Mathur, Pavlogiannis, Viswanathan, POPL 2021).
//
// A reordering is sync-preserving if the conflicting sections of a lock that it runs come
// in the order of the trace. Two accesses race so if some reordering of this kind ends with both
// next; it exists iff the smallest closed cut that has what must precede both has neither.
// A cut is closed if it is closed under TRF (recorded_trace.h) and has the release of every section
// after which it has a conflicting one. Trace order is then a schedule for it.
//
// The smallest closed cut grows with either access, as it moves on in its thread. So
// for two groups of accesses (candidates.h), one cut is kept that only grows, with the
// first access of the earlier group that is not ordered yet:
// - an earlier access in the cut is in that of every later pair too: never looked at again;
// - a later access in the cut races with nobody in the group.
// Each step moves on in one of the groups: time is near-linear in the trace, times threads and
// locks held. Not thread-safe.
#ifndef PREDRACE_ENGINES_SYNCP_H
#define PREDRACE_ENGINES_SYNCP_H

#include "runtime/engines/recording.h"

namespace predrace {

class SyncPEngine final : public RecordingEngine {
 public:
  using RecordingEngine::RecordingEngine;

 private:
  void decide(const RecordedTrace& trace) override;
};

}  // namespace predrace

#endif  // PREDRACE_ENGINES_SYNCP_H
