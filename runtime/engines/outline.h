// Outline: the few steps of a schedule that people want to see, and the lock whose hand-over it undoes.
#ifndef PREDRACE_ENGINES_OUTLINE_H
#define PREDRACE_ENGINES_OUTLINE_H

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "runtime/engines/recorded_trace.h"

namespace predrace {

// In the trace the release came before the acquire, and so i before j; in the schedule the acquire
// comes without the release.
struct Overtaking {
  uint32_t release, acquire;  // ids
};
// nullopt: no hand-over of a lock orders i before j. REQUIRES: the schedule shows i and j to race.
std::optional<Overtaking> overtakingIn(const RecordedTrace& trace, std::span<const uint32_t> schedule,
                                       uint32_t i, uint32_t j);

struct Outline {
  struct Step {
    uint32_t id;       // of the first of them
    uint32_t times;    // so many steps by the same code, one after the other
    uint64_t skipped;  // steps right before it that are not shown
  };
  uint64_t before = 0;      // steps ahead of the first one shown
  std::vector<Step> steps;  // shown, in the order of the schedule
  uint64_t skipped = 0;     // steps behind the last one that are not shown
};
// At most `most` steps: the section that overtakes, what is still held at the end, and what comes last. Steps
// with ids below `first` were put in front of the trace, and are nobody's.
Outline outlineOf(const RecordedTrace& trace, std::span<const uint32_t> schedule, uint32_t first,
                  const std::optional<Overtaking>& overtaking, size_t most);

}  // namespace predrace

#endif  // PREDRACE_ENGINES_OUTLINE_H
