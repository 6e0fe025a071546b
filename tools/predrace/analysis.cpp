#include "tools/predrace/analysis.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "runtime/engines/check.h"
#include "runtime/engines/cp.h"
#include "runtime/engines/online.h"
#include "tools/predrace/batch_queue.h"

namespace predrace {
namespace {

using Clock = std::chrono::steady_clock;

// One engine at work. Used by one thread at a time.
class Running {
 public:
  Running(const EngineRow* row, const AnalysisOptions& options) : options_(options) {
    findings_.engine = row;
    RaceSink sink = [this](const Race& race) { found(race); };
    if (row->name == "cp" && options.handOvers)
      engine_ = std::make_unique<CpEngine>(CpOptions(), sink);
    else if (row->name == "online" && options.window != ~uint64_t{0})
      engine_ = std::make_unique<OnlineEngine>(
          sink, OnlineOptions{.window = std::max<uint64_t>(options.window, 2)});
    else
      engine_ = row->make(sink);
  }

  void run(std::span<const Event> events) {
    auto start = Clock::now();
    engine_->run(events);
    findings_.seconds += std::chrono::duration<double>(Clock::now() - start).count();
  }
  void finish() {
    auto start = Clock::now();
    engine_->finish();
    findings_.seconds += std::chrono::duration<double>(Clock::now() - start).count();
    std::ranges::sort(findings_.races, std::less(),
                      [](const FoundRace& f) { return std::pair(f.race.second.index, f.race.first.index); });
    findings_.notes = engine_->notes();
    engine_.reset();
  }
  Findings take() { return std::move(findings_); }

 private:
  void found(const Race& race) {
    if (race.second.index - race.first.index > options_.window) return;
    FoundRace& f = findings_.races.emplace_back(FoundRace{.race = race, .schedule = {}});
    f.race.witness = nullptr;
    if (!race.witness || options_.witnesses == Witnesses::None ||
        (options_.witnesses == Witnesses::First && !race.firstOnVariable))
      return;
    if (exhausted_) {
      ++findings_.unmade;
      return;
    }
    f.schedule = race.witness->schedule();
    f.witnessed = f.schedule.size() <= kWitnessSteps - steps_;
    if (f.witnessed) {
      steps_ += f.schedule.size();
    } else {
      f.schedule = {};
      exhausted_ = true;
      ++findings_.unmade;
    }
  }

  const AnalysisOptions& options_;
  Findings findings_;
  uint64_t steps_ = 0;      // of the schedules kept
  bool exhausted_ = false;  // one more would have been too much
  std::unique_ptr<Engine> engine_;
};

using Engines = std::vector<std::unique_ptr<Running>>;

// All engines in the threads of `jobs`; the caller's thread reads.
template <class Each>
void runInThreads(TraceReader& reader, const Engines& engines, size_t jobs, Each each) {
  std::vector<BatchQueue> queues(std::min(jobs, engines.size()));
  bool whole = false;                 // set before the queues' last entries
  std::vector<std::jthread> threads;  // joined before the queues end
  for (size_t i = 0; i < queues.size(); ++i)
    threads.emplace_back([&engines, &whole, &queue = queues[i], i, step = queues.size()] {
      while (Batch batch = queue.pop())
        for (size_t k = i; k < engines.size(); k += step) engines[k]->run(*batch);
      for (size_t k = i; whole && k < engines.size(); k += step) engines[k]->finish();
    });
  for (std::span<const Event> events; !(events = reader.read()).empty();) {
    each(events);
    auto batch = std::make_shared<const std::vector<Event>>(events.begin(), events.end());
    for (BatchQueue& q : queues) q.push(batch);
  }
  whole = reader.error().empty();
  for (BatchQueue& q : queues) q.push(nullptr);
}

void checkWitnesses(std::span<const Event> events, std::vector<Findings>* all) {
  std::unique_ptr<WitnessChecker> checker;  // made if there is something to check
  for (Findings& findings : *all)
    for (FoundRace& f : findings.races) {
      if (!f.witnessed || findings.engine->mode == Mode::Windowed) continue;
      if (!checker) checker = std::make_unique<WitnessChecker>(events);
      f.witnessed = checker->check(f.schedule, f.race.first.index, f.race.second.index).empty();
      if (f.witnessed) continue;
      f.schedule = {};
      ++findings.rejected;
    }
}

}  // namespace

std::vector<Findings> analyze(TraceReader& reader, const AnalysisOptions& options,
                              const std::function<void()>& progress) {
  Engines engines;
  for (const EngineRow* row : options.engines) engines.push_back(std::make_unique<Running>(row, options));
  // The checker needs the trace. Engines that work event by event are for traces larger than
  // memory, and give no schedules, or schedules that they have checked on their window.
  bool keep = options.witnesses != Witnesses::None &&
              std::ranges::any_of(options.engines, [](auto* row) { return row->mode == Mode::WholeTrace; });
  std::vector<Event> kept;
  auto each = [&](std::span<const Event> events) {
    if (keep) kept.insert(kept.end(), events.begin(), events.end());
    progress();
  };
  if (options.jobs > 1) {
    runInThreads(reader, engines, options.jobs, each);
  } else {
    for (std::span<const Event> events; !(events = reader.read()).empty();) {
      each(events);
      for (auto& e : engines) e->run(events);
    }
    if (reader.error().empty())
      for (auto& e : engines) e->finish();
  }
  if (!reader.error().empty()) return {};
  std::vector<Findings> all;
  for (auto& e : engines) all.push_back(e->take());
  checkWitnesses(kept, &all);
  return all;
}

}  // namespace predrace
