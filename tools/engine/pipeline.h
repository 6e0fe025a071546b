// Pipeline: one run's lowering, engine, recorder, predictor and reporter, put together.
//
// Not thread-safe. Records in (take), reports out; the service feeds it.
#ifndef PREDRACE_TOOLS_ENGINE_PIPELINE_H
#define PREDRACE_TOOLS_ENGINE_PIPELINE_H

#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>

#include "runtime/engines/engines.h"
#include "runtime/engines/lockset.h"
#include "tools/engine/lowering.h"
#include "tools/engine/online_check.h"
#include "tools/engine/predictor.h"
#include "tools/engine/recorder.h"
#include "tools/engine/reporter.h"

namespace predrace {

// Nothing, what the engine's candidates are witnessed to be, or what OSR sees in the window as well.
enum class Predict : uint8_t { Nothing, Candidates, All };

struct PipelineOptions {
  const EngineRow* engine = nullptr;  // REQUIRES: Mode::Online
  Predict predict = Predict::All;
  uint64_t window = 0;     // entries of the log
  double exitBudget = 10;  // seconds
  bool fullSchedule = false;
  bool reportUnwitnessed = false;
  std::string record;  // file, empty: none
  bool checkOnline = false;
  uint64_t memoryLimit = 0;  // bytes, 0: none
  bool stats = false;
  bool printSuppressions = true;
  ReporterOptions reporter;
};

class Pipeline {
 public:
  Pipeline(Session* session, Suppressions& suppressions, Output& output, PipelineOptions options);
  ~Pipeline();

  bool take(uint32_t thread, const Slot& s, const Slot& more) { return lowering_->take(thread, s, more); }
  void ahead(uint32_t thread, const Slot& near, const Slot& far) {
    lowering_->ahead(thread, near, far, [this](const Event& e) { engine_->expect(e); });
  }
  void ending() { lowering_->ending(); }
  // To be called now and then: keeps to the memory limit, looks after the prediction. `idle`: there is
  // nothing else to do.
  void attend(bool idle);
  // No more records: the last reports, the record file, statistics.
  void finish();

  // Why the last take() said false.
  const std::string& error() const { return lowering_->error(); }

 private:
  const Locksets* makeEngine();
  void checkMemory();
  void predict();
  void openRecord();
  void closeRecord();
  void printStats();

  Session* session_;
  Suppressions& suppressions_;
  Output& output_;
  PipelineOptions options_;
  std::FILE* recordFile_ = nullptr;
  std::unique_ptr<Recorder> recorder_;
  std::unique_ptr<OnlineCheck> check_;
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<Predictor> predictor_;
  std::unique_ptr<Logged> logged_;
  std::unique_ptr<Tee> tee_;
  std::unique_ptr<Lowering> lowering_;
  std::unique_ptr<Reporter> reporter_;
  uint64_t candidates_ = 0;  // pairs that the engine predicts
  uint64_t folded_ = 0;
  bool saidFolded_ = false;
};

}  // namespace predrace

#endif  // PREDRACE_TOOLS_ENGINE_PIPELINE_H
