#include "tools/engine/pipeline.h"

#include <sys/resource.h>

#include <cerrno>
#include <cstring>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "runtime/engines/cp.h"

namespace predrace {
namespace {

constexpr size_t kShownSteps = 12;  // of a schedule: what one takes in at a glance

}  // namespace

Pipeline::Pipeline(Session* session, Suppressions& suppressions, Output& output, PipelineOptions options)
    : session_(session), suppressions_(suppressions), output_(output), options_(std::move(options)) {
  openRecord();
  if (options_.checkOnline) check_ = std::make_unique<OnlineCheck>(*options_.engine);
  if (recordFile_ != nullptr || check_) recorder_ = std::make_unique<Recorder>();
  const Locksets* locksets = makeEngine();
  Engine* hears = engine_.get();
  if (predictor_) hears = (logged_ = std::make_unique<Logged>(*hears, predictor_->log())).get();
  if (recorder_) hears = (tee_ = std::make_unique<Tee>(*recorder_, *hears)).get();
  lowering_ = std::make_unique<Lowering>(*hears);
  if (recorder_) recorder_->setVariables(&lowering_->variables());
  reporter_ =
      std::make_unique<Reporter>(session, *lowering_, locksets, suppressions, output, options_.reporter);
}

// The engine, and the locksets that it keeps, if any.
const Locksets* Pipeline::makeEngine() {
  Finding finding = options_.engine->finding;
  if (finding == Finding::Prediction && options_.predict != Predict::Nothing) {
    predictor_ = std::make_unique<Predictor>(
        PredictorOptions{.window = options_.window,
                         .osr = options_.predict == Predict::All,
                         .exitBudget = options_.exitBudget,
                         .steps = options_.fullSchedule ? ~size_t{0} : kShownSteps,
                         .pcOf = [session = session_](uint32_t site) { return pcOf(session, site); }});
  }
  RaceSink sink = [this, finding](const Race& race) {
    if (check_) check_->online(race);
    if (race.unordered || finding != Finding::Prediction) {
      if (predictor_) predictor_->dataRace(race);
      return reporter_->found(race, finding);
    }
    ++candidates_;
    if (predictor_) predictor_->candidate(race);
  };
  if (options_.engine->name != "cp") {
    engine_ = options_.engine->make(sink);
    return nullptr;
  }
  // Makes the best reports: says more than the interface asks for.
  auto cp = std::make_unique<CpEngine>(CpOptions{.hand_over = false}, sink);
  const Locksets* locksets = &cp->locksets();
  engine_ = std::move(cp);
  return locksets;
}

Pipeline::~Pipeline() {
  if (recordFile_ != nullptr) std::fclose(recordFile_);
}

// Opened at the start, so that a bad path is told at once.
void Pipeline::openRecord() {
  if (options_.record.empty()) return;
  if (!absl::EndsWith(options_.record, ".std")) {
    output_.line(absl::StrCat("WARNING: record=", options_.record,
                              ": the name must end in .std; nothing is recorded"));
    return;
  }
  recordFile_ = std::fopen(options_.record.c_str(), "we");
  if (recordFile_ != nullptr) return;
  output_.line(
      absl::StrCat("WARNING: record=", options_.record, ": ", std::strerror(errno), "; nothing is recorded"));
}

void Pipeline::closeRecord() {
  if (recordFile_ == nullptr) return;
  std::string error = recorder_->writeText(recordFile_);
  if (std::fclose(recordFile_) != 0 && error.empty()) error = std::strerror(errno);
  recordFile_ = nullptr;
  if (error.empty()) return;
  output_.line(absl::StrCat("WARNING: record=", options_.record, " is not complete: ", error));
}

void Pipeline::attend(bool idle) {
  checkMemory();
  if (!predictor_) return;
  if (lowering_->locks().odd()) predictor_->distrust();
  predictor_->poll(idle);
}

void Pipeline::checkMemory() {
  if (options_.memoryLimit == 0) return;
  uint64_t own = lowering_->memoryBytes();
  if (engine_->memoryBytes() + own <= options_.memoryLimit) return;
  uint64_t target = options_.memoryLimit * 3 / 4;
  folded_ += engine_->fold(target > own ? target - own : 0);
  if (saidFolded_ || folded_ == 0) return;
  saidFolded_ = true;
  output_.line(absl::StrCat("history beyond ", lowering_->events(), " events was folded"));
}

void Pipeline::printStats() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const ReportCounts& c = reporter_->counts();
  PredictorCounts p;
  if (predictor_) p = predictor_->counts();
  output_.line(absl::StrCat(
      "stats: events=", lowering_->events(), " accesses=", lowering_->accesses(), " threads=",
      lowering_->history().threads(), " locks=", lowering_->locks().count(), " candidates=", candidates_,
      " data_races=", c.dataRaces, " predicted=", c.predicted, " lockset_violations=", c.locksetViolations,
      " suppressed=", c.suppressed, " witnessed=", p.witnessed, " unwitnessed=", p.unwitnessed,
      " undecided=", p.undecided, " rejected=", p.rejected, " windows=", p.windows,
      " beyond_window=", p.beyond, " folded=", folded_, " peak_mb=", usage.ru_maxrss / 1024));
}

void Pipeline::predict() {
  if (lowering_->locks().odd()) predictor_->distrust();
  predictor_->finish([this](const Prediction& p) { reporter_->predicted(p); });
  if (check_ && predictor_->counts().rejected != 0)
    output_.line("INTERNAL: online and offline differ: the checker has not accepted a schedule");
  if (!options_.reportUnwitnessed) return;
  for (const Race& race : predictor_->unwitnessed()) reporter_->unwitnessed(race);
}

void Pipeline::finish() {
  engine_->finish();
  closeRecord();
  if (predictor_) predict();
  uint64_t errors = reporter_->reported();
  if (check_ && folded_ == 0) {
    std::string difference = check_->compare(*recorder_);
    if (!difference.empty()) {
      ++errors;
      output_.line(absl::StrCat("INTERNAL: online and offline differ: ", difference));
    }
  }
  if (options_.printSuppressions) {
    for (const auto& [pattern, hits] : suppressions_.matched()) {
      output_.line(
          absl::StrCat("matched suppression ", pattern, " (", hits, hits == 1 ? " report)" : " reports)"));
    }
  }
  if (options_.stats) printStats();
  if (reporter_->reported() != 0) {
    output_.line(absl::StrCat("reported ", reporter_->reported(),
                              reporter_->reported() == 1 ? " warning" : " warnings"));
  }
  __atomic_store_n(&session_->reports, static_cast<uint32_t>(errors), __ATOMIC_RELEASE);
}

}  // namespace predrace
