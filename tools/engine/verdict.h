// Verdict: the one place that decides what becomes of a race that the engine found.
//
// Until witnesses are searched and checked, a candidate is predicted only where
// CP's own theorem vouches for it: all sections well nested, nothing that every
// schedule keeps orders the pair, and no earlier race on the variable (the
// theorem speaks of the first).
#ifndef PREDRACE_TOOLS_ENGINE_VERDICT_H
#define PREDRACE_TOOLS_ENGINE_VERDICT_H

#include "runtime/engines/engines.h"
#include "runtime/engines/race.h"

namespace predrace {

enum class Verdict { DataRace, Predicted, LocksetViolation, Drop };

struct VerdictContext {
  bool predict;     // the user wants predictions
  bool wellNested;  // every critical section so far, of every thread
  Finding finding;  // of the engine
};

Verdict decide(const Race& race, const VerdictContext& context);

}  // namespace predrace

#endif  // PREDRACE_TOOLS_ENGINE_VERDICT_H
