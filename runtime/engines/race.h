// Race: what an engine reports.
#ifndef PREDRACE_ENGINES_RACE_H
#define PREDRACE_ENGINES_RACE_H

#include <cstdint>
#include <functional>
#include <vector>

#include "runtime/engines/event.h"

namespace predrace {

constexpr uint32_t kNone = ~0u;

// One of the two accesses of a race.
struct RacingAccess {
  uint64_t index;  // of its event
  uint32_t thread;
  uint32_t site;
  uint32_t lockset;  // locks held then: an id of the engine's Locksets, kNone if not kept
  Op op;
};

// The lock hand-over that ordered the two accesses in this run: the last step,
// into the second access's thread, of the order between them.
struct HandOver {
  uint32_t lock = kNone;  // kNone: none known (the accesses are unordered, or too long ago)
  uint32_t fromThread = 0, toThread = 0;
  uint32_t releaseSite = 0, acquireSite = 0;
};

// How the two accesses of a race can come to be next to each other. Made on demand: a long
// trace has long schedules, and the reader of a report wants few of them.
class Witness {
 public:
  virtual ~Witness() = default;
  // Indices of the events of a correct reordering, in its order: each thread's events from
  // its first on, after which both accesses are the next ones of their threads (the accesses
  // themselves not included). Nobody is to be told before check.h has accepted it.
  virtual std::vector<uint64_t> schedule() const = 0;
};

struct Race {
  RacingAccess first, second;  // first.index < second.index
  uint32_t variable;
  bool unordered;  // by happens-before in this run: a `data race`; otherwise only by the engine's own weaker
                   // order
  bool firstOnVariable;  // no earlier race of this engine on the variable
  HandOver handOver;
  const Witness* witness = nullptr;  // null: this engine makes none. Valid during the sink's call only
};

using RaceSink = std::function<void(const Race&)>;

}  // namespace predrace

#endif  // PREDRACE_ENGINES_RACE_H
