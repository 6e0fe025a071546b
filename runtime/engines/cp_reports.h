// Reports: races on their way to the sink, each variable's in order.
//
// Whether a race is the first on its variable depends on earlier checks that may still
// wait for open sections; so it queues behind them. Races that HB does not order are
// reported as such in any case and do not queue.
//
// Not thread-safe.
#ifndef PREDRACE_ENGINES_CP_REPORTS_H
#define PREDRACE_ENGINES_CP_REPORTS_H

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "runtime/engines/cp_unknown.h"
#include "runtime/engines/cp_variables.h"
#include "runtime/engines/lanes.h"
#include "runtime/engines/race.h"

namespace predrace::cp {

// The hand-overs that brought a thread news, latest kHandOvers of them.
class HandOverLog {
 public:
  void add(const Moment& released, uint32_t lock, uint32_t releaseSite, uint32_t acquireSite,
           uint64_t acquireIndex);
  // The earliest before `index` that knew of that access.
  HandOver find(uint32_t lane, Epoch epoch, uint64_t index, const Lanes<Epoch>& lanes,
                uint32_t toThread) const;
  void clear() { steps_.clear(), next_ = 0; }

 private:
  static constexpr uint32_t kHandOvers = 128;
  struct Step {
    Moment released;
    uint32_t lock, releaseSite, acquireSite;
    uint64_t index;
  };
  std::vector<Step> steps_;  // a ring once full
  uint32_t next_ = 0;
};

// An access whose verdict waits.
struct Check {
  uint32_t variable;
  uint32_t lane;  // of second
  RacingAccess second;
  Clock C;  // of its thread then, and what else it depended on
  UnknownSet U;
  absl::InlinedVector<Access, 2> suspects;  // earlier ones that it may race with, latest first
  absl::InlinedVector<uint64_t, 2> queues;  // the queues that have it
  bool decided;
};

class Reports {
 public:
  // logs: by lane; null if hand-overs are not wanted.
  Reports(RaceSink sink, Variables& variables, const Lanes<Epoch>& lanes,
          const std::vector<HandOverLog>* logs)
      : sink_(std::move(sink)), variables_(variables), lanes_(lanes), logs_(logs) {}

  // A check of that variable, at the end of its queue: decided() follows sooner or later.
  Check* enqueue(uint32_t variable);
  // c->suspects are those it races with; reports what can be reported, and takes c back.
  void decided(Check* c);
  // Races of one access, latest first, that need not wait: HB does not order them, or
  // the variable has no queue.
  void report(uint32_t variable, const RacingAccess& second, uint32_t lane, const Access& first,
              bool unordered);

  // The variable's history goes on in another one as well, or is over. To be told before
  // Variables.
  void split(uint32_t from, uint32_t to);
  void forget(uint32_t variable);

  uint64_t races() const { return races_; }
  uint64_t unordered() const { return unordered_; }
  size_t memoryBytes() const { return owned_.size() * (sizeof(Check) + 16) + queues_.capacity() * 64; }

 private:
  struct Entry {
    Check* check;   // null: a race that did not queue
    bool original;  // reported from here; otherwise a copy after a split
  };
  struct Queue {
    std::deque<Entry> entries;
    bool raced;  // before the first entry
  };

  void flush(uint64_t queue);
  void emit(const Check& c, bool first);
  void emit(uint32_t variable, const RacingAccess& second, uint32_t lane, const Access& a, bool unordered,
            bool firstOnVariable);

  RaceSink sink_;
  Variables& variables_;
  const Lanes<Epoch>& lanes_;
  const std::vector<HandOverLog>* logs_;
  absl::flat_hash_map<uint64_t, Queue> queues_;  // by variable, or kGone + a number of its own
  static constexpr uint64_t kGone = uint64_t{1} << 32;
  uint64_t gone_ = kGone;
  std::vector<std::unique_ptr<Check>> owned_;
  std::vector<Check*> free_;
  uint64_t races_ = 0, unordered_ = 0;
};

}  // namespace predrace::cp

#endif  // PREDRACE_ENGINES_CP_REPORTS_H
