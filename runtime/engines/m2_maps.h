// Maps: where a thread accesses a variable, or has sections of a lock, next (M2's maps After, Before and F).
//
// Events are named by their ids in the trace; those of one thread, of one variable and kind, are
// sorted together. Immutable once built; thread-compatible.
#ifndef PREDRACE_ENGINES_M2_MAPS_H
#define PREDRACE_ENGINES_M2_MAPS_H

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/engines/recorded_trace.h"

namespace predrace::m2 {

// The first id that is not less; kNone if there is none.
inline uint32_t firstFrom(std::span<const uint32_t> ids, uint32_t id) {
  auto found = std::ranges::lower_bound(ids, id);
  return found == ids.end() ? kNone : *found;
}
// The last id that is less; kNone if there is none.
inline uint32_t lastBelow(std::span<const uint32_t> ids, uint32_t id) {
  auto found = std::ranges::lower_bound(ids, id);
  return found == ids.begin() ? kNone : *(found - 1);
}

// The accesses of one kind: by variable, then by thread.
class AccessTable {
 public:
  AccessTable(const RecordedTrace& trace, bool (*chosen)(Op));

  struct Run {
    uint32_t thread, begin, end;
  };
  // The threads that access the variable, in growing order.
  std::span<const Run> runs(uint32_t variable) const {
    return std::span(runs_).subspan(runsBegin_[variable], runsBegin_[variable + 1] - runsBegin_[variable]);
  }
  std::span<const uint32_t> ids(const Run& run) const {
    return std::span(ids_).subspan(run.begin, run.end - run.begin);
  }
  std::span<const uint32_t> ids(uint32_t variable, uint32_t thread) const;

 private:
  std::vector<uint32_t> ids_, runsBegin_;
  std::vector<Run> runs_;
};

class Maps {
 public:
  // REQUIRES: the trace outlives it.
  explicit Maps(const RecordedTrace& trace);

  const AccessTable& writes() const { return writes_; }
  const AccessTable& reads() const { return reads_; }

  // Of a write: the thread's next write of the variable. Of an acquire: its next one of the same
  // lock and mode. kNone: none.
  uint32_t nextSame(uint32_t i) const { return nextSame_[i]; }
  // The next write of w's variable, by anybody: reads from there on do not read w. kNone: none.
  uint32_t nextWrite(uint32_t w) const { return nextWrite_[w]; }

  // A thread's acquires of a lock, in order.
  std::span<const uint32_t> acquires(uint32_t lock, uint32_t thread, bool shared) const;
  // Its first release of that kind at `id` or later; kNone if there is none.
  uint32_t releaseFrom(uint32_t lock, uint32_t thread, bool shared, uint32_t id) const;

 private:
  const RecordedTrace& trace_;
  AccessTable writes_, reads_;
  std::vector<uint32_t> nextSame_, nextWrite_;  // by event
};

}  // namespace predrace::m2

#endif  // PREDRACE_ENGINES_M2_MAPS_H
