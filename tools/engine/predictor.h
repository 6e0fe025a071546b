// Predictor: the schedules that show predicted races, searched beside the run.
//
// Keeps the window (EventLog) and, for each pair of code locations, some of the candidates that the
// engine finds for it. A thread of its own, of low priority, searches windows: when one is full and
// when the program is idle. The run never waits for it: a window that comes while another one is searched
// is not. What is left at the end is searched then, within a budget of time.
//
// What is found beside the run is told at its end only, and only if no data race has come since: an access
// that races with the schedule's may have been made already, and not told yet.
//
// All calls come from the engine process's main thread.
#ifndef PREDRACE_TOOLS_ENGINE_PREDICTOR_H
#define PREDRACE_TOOLS_ENGINE_PREDICTOR_H

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "runtime/engines/event_log.h"
#include "runtime/engines/window_search.h"

namespace predrace {

// Two code locations, the smaller one first.
using CodePair = std::pair<uint64_t, uint64_t>;

struct PredictorOptions {
  uint64_t window = 0;                          // entries of the log
  bool osr = true;                              // look for races that are no candidates
  double exitBudget = 10;                       // seconds
  size_t steps = 12;                            // of a schedule, to be told
  std::function<uint64_t(uint32_t site)> pcOf;  // thread-safe
};

// A predicted race, in the log's terms.
struct Prediction {
  Race race;
  std::vector<uint32_t> firstLocks, secondLocks;  // held: as Locksets has them
  WindowSearch::Outlined schedule;
  uint64_t dataRaces = 0;  // how many the engine had told when the window was taken
};

struct PredictorCounts {
  // Pairs of code locations that the engine has candidates for.
  uint64_t witnessed = 0, unwitnessed = 0, undecided = 0;
  uint64_t windows = 0;
  uint64_t beyond = 0;    // events that have left the window
  uint64_t rejected = 0;  // schedules that the checker did not accept
};

class Predictor {
 public:
  explicit Predictor(PredictorOptions options);
  // Does not wait for the searcher.
  ~Predictor();
  Predictor(const Predictor&) = delete;
  Predictor& operator=(const Predictor&) = delete;

  EventLog& log() { return log_; }
  // The engine found a pair that happens-before orders.
  void candidate(const Race& race);
  // ... that it does not order.
  void dataRace(const Race& race);
  // From now on the events are not what the program did: nothing more is searched.
  void distrust() { trusted_ = false; }

  // To be called now and then, with `idle` if there is nothing else to do.
  void poll(bool idle);
  // How many were found so far.
  size_t held() const { return held_.size(); }
  // Searches what is left, within the budget, and tells all.
  void finish(const std::function<void(const Prediction&)>& found);

  // After finish(): a candidate of each pair of code locations that has no schedule though all its candidates
  // were tried.
  std::vector<Race> unwitnessed() const;
  const PredictorCounts& counts() const { return counts_; }

 private:
  // Enough to have some from different moments of the run.
  static constexpr size_t kFirst = 8, kLast = 8;
  struct Candidates {
    std::vector<Race> first, last;
    size_t next = 0;         // in last, once full
    uint64_t told = 0;       // how many there were ...
    uint64_t submitted = 0;  // ... when a window was handed over last
    uint64_t refused = 0;    // ... when all that a window had were tried in vain
    bool witnessed = false;
    bool settled = false;  // by a data race: nothing to search for
  };
  struct Searcher;  // the thread, and what it shares with this one

  static bool isUnwitnessed(const Candidates& c) {
    return !c.witnessed && !c.settled && c.told != 0 && c.refused == c.told;
  }
  CodePair codePairOf(const Race& race) const;
  void submit(bool osr);
  void submitBeside(bool osr);
  void take();
  void dropDoubtful();

  PredictorOptions options_;
  EventLog log_;
  bool trusted_ = true;
  bool beside_ = false;  // the thread beside the run has been started
  absl::flat_hash_map<CodePair, Candidates> candidates_;
  std::vector<CodePair> settled_;  // reported as data races since the last window
  uint64_t fresh_ = 0;             // candidates since the last window
  uint64_t dataRaces_ = 0;
  std::vector<Prediction> held_;
  PredictorCounts counts_;
  std::shared_ptr<Searcher> searcher_;
};

}  // namespace predrace

#endif  // PREDRACE_TOOLS_ENGINE_PREDICTOR_H
