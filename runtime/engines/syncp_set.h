// syncp's set: the smallest set of events around a cut that a schedule can run in the order of the trace,
// sections of each lock in their order (Mathur, Pavlogiannis, Viswanathan, POPL 2021).
#ifndef PREDRACE_ENGINES_SYNCP_SET_H
#define PREDRACE_ENGINES_SYNCP_SET_H

#include "runtime/engines/recorded_trace.h"

namespace predrace {

// Adds the ends of all sections that are open at the cut though it has a later conflicting one. False:
// one of them never ends, no such set is large enough. REQUIRES: the cut is TRF-closed.
bool closeSyncPreserving(const RecordedTrace& trace, Cut* cut);

}  // namespace predrace

#endif  // PREDRACE_ENGINES_SYNCP_SET_H
