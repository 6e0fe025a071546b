// Reporter: races become reports, each pair of code locations once.
//
// Not thread-safe. Called by the engine whenever it has decided a race, which for
// racy loops is often: a pair that was reported costs one hash lookup.
#ifndef PREDRACE_TOOLS_ENGINE_REPORTER_H
#define PREDRACE_TOOLS_ENGINE_REPORTER_H

#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "runtime/engines/engines.h"
#include "runtime/engines/lockset.h"
#include "runtime/report/record.h"
#include "runtime/report/suppress.h"
#include "runtime/report/symbolize.h"
#include "runtime/report/text.h"
#include "runtime/wire/session.h"
#include "tools/engine/lowering.h"
#include "tools/engine/output.h"
#include "tools/engine/predictor.h"

namespace predrace {

struct ReporterOptions {
  TextStyle style;
  std::string symbolizer;  // path of llvm-symbolizer, or empty
  bool warnNoSymbolizer = true;
  bool haltOnError = false;
};

// The code location of a site; 0: not known. Thread-safe.
uint64_t pcOf(Session* session, Site site);

struct ReportCounts {
  uint64_t dataRaces = 0, predicted = 0, locksetViolations = 0, suppressed = 0;
};

class Reporter {
 public:
  // `locksets` is what the engine's RacingAccess::lockset refer to; null if it keeps none.
  Reporter(Session* session, const Lowering& lowering, const Locksets* locksets, Suppressions& suppressions,
           Output& output, ReporterOptions options);

  // A data race, or what else the engine finds.
  void found(const Race& race, Finding finding);
  void predicted(const Prediction& prediction);
  // A prediction that no schedule was found for.
  void unwitnessed(const Race& race);

  const ReportCounts& counts() const { return counts_; }
  uint64_t reported() const { return counts_.dataRaces + counts_.predicted + counts_.locksetViolations; }

 private:
  bool isNew(const Race& race, Report::Kind kind);
  std::vector<uint32_t> heldAt(const RacingAccess& access) const;
  Report build(const Race& race, Report::Kind kind, const std::vector<uint32_t>& firstLocks,
               const std::vector<uint32_t>& secondLocks);
  void tell(const Report& report);
  ReportAccess accessOf(const RacingAccess& access, const std::vector<uint32_t>& locks, const Bytes& bytes,
                        Report& report);
  ReportSchedule scheduleOf(const WindowSearch::Outlined& outlined);
  std::string describe(const WindowSearch::Outlined::Step& step);
  std::string nameOfLock(uint32_t lock);
  std::string nameOfVariable(uint32_t variable, uint64_t index);
  Frame placeOf(Site site);
  ReportLocation locationOf(uint64_t address, uint64_t index);
  void mention(Report& report, uint32_t thread);
  void mentionLock(Report& report, uint32_t lock);
  bool isMain(uint32_t thread) const { return thread == session_->mainThread; }
  Stack stackOf(Site site);
  const Stack& framesOf(uint64_t pc);

  Session* session_;
  const Lowering& lowering_;
  const Locksets* locksets_;
  Suppressions& suppressions_;
  Output& output_;
  ReporterOptions options_;
  Symbolizer symbolizer_;
  absl::flat_hash_map<uint64_t, Stack> frames_;  // by pc
  // Pairs of pcs, the smaller first. A pair that was predicted is reported once more when
  // it also happens.
  absl::flat_hash_set<std::tuple<uint64_t, uint64_t, Report::Kind>> seen_;
  ReportCounts counts_;
};

}  // namespace predrace

#endif  // PREDRACE_TOOLS_ENGINE_REPORTER_H
