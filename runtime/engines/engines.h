// The table of engines (engines.inc) for those who choose one by name.
#ifndef PREDRACE_ENGINES_ENGINES_H
#define PREDRACE_ENGINES_ENGINES_H

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "runtime/engines/engine.h"
#include "runtime/engines/race.h"

namespace predrace {

// Online: event by event, bounded by memory and not by the trace, so a live run can use it.
// Windowed: the same with the last events kept; gives schedules, which are checked already. It is the live
// run's own pipeline, hence for recorded traces.
// WholeTrace: keeps every event and decides in finish().
enum class Mode : uint8_t { Online, Windowed, WholeTrace };
// What a report says. Race: two accesses that happens-before did not order. Prediction: those, and others
// that another schedule can bring together. LocksetViolation: no lock always protects the variable.
enum class Finding : uint8_t { Race, Prediction, LocksetViolation };

struct EngineRow {
  std::string_view name;
  std::unique_ptr<Engine> (*make)(RaceSink sink);
  std::string_view paper;
  std::string_view sound;  // when is a report certain to be a real race
  Mode mode;
  Finding finding;
  std::string_view reports;
};

std::span<const EngineRow> engines();
const EngineRow* findEngine(std::string_view name);  // null: there is none

}  // namespace predrace

#endif  // PREDRACE_ENGINES_ENGINES_H
