// Analysis: several engines on one trace, in one pass over it.
//
// With several jobs the engines are shared out among threads, which get the same batches of
// events through bounded queues: a slow engine makes the reader wait, and memory stays bounded.
// Results do not depend on the number of jobs.
//
// Schedules that engines give are only kept here; checkWitnesses() throws away whatever the
// independent checker does not accept, so nobody gets to see an unchecked one.
#ifndef PREDRACE_TOOLS_PREDRACE_ANALYSIS_H
#define PREDRACE_TOOLS_PREDRACE_ANALYSIS_H

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/engines/engines.h"
#include "runtime/trace/trace_reader.h"

namespace predrace {

// Whose schedules are wanted: of every race, of the first on each variable, of none.
enum class Witnesses : uint8_t { All, First, None };

struct AnalysisOptions {
  std::vector<const EngineRow*> engines;
  uint64_t jobs = 1;
  uint64_t window = ~uint64_t{0};  // races whose accesses are further apart are left out
  Witnesses witnesses = Witnesses::First;
  bool handOvers = false;  // cp is to tell the lock that ordered a race in this run, which costs time
};

struct FoundRace {
  Race race;  // without its Witness, which ends with the sink's call
  bool witnessed = false;
  std::vector<uint64_t> schedule;  // if witnessed
};

// What one engine found.
struct Findings {
  const EngineRow* engine;
  std::vector<FoundRace> races;  // by second event, then by first
  double seconds = 0;            // in the engine itself
  uint64_t rejected = 0;         // schedules that the checker did not accept
  uint64_t unmade = 0;           // races whose schedules would have been too much
  std::string notes;             // Engine::notes()
};

// Steps of schedules that one engine may give for one trace.
constexpr uint64_t kWitnessSteps = 10'000'000;

// `progress` is called for each batch. Nothing is returned if the reader has an error().
std::vector<Findings> analyze(TraceReader& reader, const AnalysisOptions& options,
                              const std::function<void()>& progress);

}  // namespace predrace

#endif  // PREDRACE_TOOLS_PREDRACE_ANALYSIS_H
