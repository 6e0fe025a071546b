#include "tools/engine/verdict.h"

namespace predrace {

Verdict decide(const Race& race, const VerdictContext& context) {
  if (context.finding == Finding::LocksetViolation) return Verdict::LocksetViolation;
  if (race.unordered) return Verdict::DataRace;
  if (!context.predict || !context.wellNested) return Verdict::Drop;
  if (race.mustOrdered || !race.firstOnVariable) return Verdict::Drop;
  return Verdict::Predicted;
}

}  // namespace predrace
