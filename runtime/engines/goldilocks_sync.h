// GoldilocksSync: what synchronisation events do to the lockset table; goldilocks.h has the
// rules. Not thread-safe.
#ifndef PREDRACE_ENGINES_GOLDILOCKS_SYNC_H
#define PREDRACE_ENGINES_GOLDILOCKS_SYNC_H

#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "runtime/engines/chunked.h"
#include "runtime/engines/event.h"
#include "runtime/engines/lanes.h"
#include "runtime/engines/lockset_table.h"

namespace predrace {

class GoldilocksSync {
 public:
  using Element = LocksetTable::Element;
  using Set = LocksetTable::Set;

  // The lane of the event's thread, which starts if it is new.
  uint32_t laneOf(uint32_t thread) {
    if (thread < laneByThread_.size() && laneByThread_[thread] != kNone) [[likely]]
      return laneByThread_[thread];
    return begin(thread);
  }
  // Accesses, At and the rest do nothing.
  void on(uint32_t lane, const Event& e);

  Element elementOf(uint32_t lane) const { return threads_[lane].element; }
  // The lockset of an access that the lane makes now. No reference is added.
  Set setOf(uint32_t lane) {
    Thread& t = threads_[lane];
    if (t.set == kNone) t.set = table_.start(t.element);
    return t.set;
  }
  LocksetTable& table() { return table_; }
  const LocksetTable& table() const { return table_; }

  void forgetLock(uint32_t lock);
  void forgetChannel(uint32_t channel);
  size_t memoryBytes() const;

 private:
  static constexpr uint32_t kIdle = 512, kEnded = 256;

  struct Thread {
    Element element = kNone;
    Set set = kNone;  // of the accesses since the lane last handed something on; kNone: there are none
    uint32_t number = kNone;
    absl::InlinedVector<uint32_t, 4> held;  // lock << 1 | shared: for a thread that ends with them
  };
  struct Lock {
    Element exclusive = kNone, shared = kNone;
  };
  struct Maybe {
    Element element = kNone;
  };

  uint32_t begin(uint32_t thread);
  void passOn(uint32_t lane);
  void give(uint32_t lane, Element& to);
  void take(uint32_t lane, Element from);
  void drop(Element& e);
  void acquire(uint32_t lane, uint32_t lock, bool shared);
  void release(uint32_t lane, uint32_t lock, bool shared);
  void unhold(uint32_t lane, uint32_t member);
  void fork(uint32_t lane, uint32_t child);
  void join(uint32_t lane, uint32_t child);
  void end(uint32_t lane);
  void limitIdle();

  LocksetTable table_;
  Lanes<uint32_t> lanes_;                           // ticks: 1 at a thread's end, 0 before it
  std::vector<uint32_t> laneByThread_;              // kNone: not started, or its lane has passed on
  std::vector<Thread> threads_;                     // by lane
  std::vector<Element> forked_;                     // by thread, until it starts
  std::deque<std::pair<uint32_t, Element>> ended_;  // threads whose lanes have passed on, kEnded at most
  Chunked<Lock, 8> locks_;
  Chunked<Maybe, 8> channels_;
};

}  // namespace predrace

#endif  // PREDRACE_ENGINES_GOLDILOCKS_SYNC_H
