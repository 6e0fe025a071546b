// MustOrder: the order that every schedule of the same events keeps.
//
// Thread order, fork/join, snd -> rcv, the order of the at(o) of one object and of
// the atomic accesses of one variable, and reads-from. A pair ordered by it has no
// witness, so no engine should predict it.
//
// A clock per thread holds, for each other thread, the index of its last event that
// is ordered before. Clocks are shared until they change, and a step that brings
// nothing new costs O(1).
//
// Invariants:
// (1) clock(t)[u] >= i exactly if event i of u is ordered before t's next event
//     (reads-from of that next event not counted).
// (2) A thread's place in the clocks (its lane) is given to a later thread only if all
//     its events are ordered before that thread's first: then (1) still holds.
// (3) fold() only adds order.
//
// Not thread-safe.
#ifndef PREDRACE_ENGINES_MUST_ORDER_H
#define PREDRACE_ENGINES_MUST_ORDER_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/engines/chunked.h"
#include "runtime/engines/lanes.h"
#include "runtime/engines/vector_clock.h"

namespace predrace {

class MustOrder {
 public:
  // Ended threads that nobody waited for keep a lane; beyond `idleThreads` of them the
  // oldest count as ordered before everything later.
  explicit MustOrder(uint32_t idleThreads = 512) : idleThreads_(idleThreads) {}
  MustOrder(const MustOrder&) = delete;
  MustOrder& operator=(const MustOrder&) = delete;

  // Each is told once per event, in trace order; `index` is the event's.
  void fork(uint32_t thread, uint32_t child, uint64_t index);
  void join(uint32_t thread, uint32_t child, uint64_t index);
  void end(uint32_t thread, uint64_t index);
  void send(uint32_t thread, uint32_t channel, uint64_t index);
  void receive(uint32_t thread, uint32_t channel, uint64_t index);
  void at(uint32_t thread, uint32_t object, uint64_t index);
  // An access is told in two steps, with the question orderedBefore in between:
  // first (atomic accesses only) its place among the variable's atomic accesses ...
  void keep(uint32_t thread, uint32_t variable, uint64_t index);
  // ... and then what it reads from and writes (an update: read, then write).
  void read(uint32_t thread, uint32_t variable, uint64_t index, bool atomic = false);
  void write(uint32_t thread, uint32_t variable, uint64_t index, bool atomic = false);

  // The variable will be accessed soon.
  void expect(uint32_t variable) {
    if (const Moment* w = writes_.find(variable)) __builtin_prefetch(w);
  }

  // Is that event of firstThread ordered before the present point of secondThread?
  bool orderedBefore(uint32_t firstThread, uint64_t firstIndex, uint32_t secondThread) const;

  void splitVariable(uint32_t from, uint32_t to);
  void forgetVariable(uint32_t variable);
  void forgetChannel(uint32_t channel);
  void forgetObject(uint32_t object);

  size_t memoryBytes() const;
  // Forgets which write each variable's next read reads from, and says "one after
  // everything so far" instead.
  void fold();

 private:
  using Clock = VectorClock<uint64_t>;
  using Moment = Stamp<uint64_t>;  // of one event: own is its index + 1

  struct Thread {
    Clock known;          // own lane apart
    uint64_t latest = 0;  // index + 1 of its latest event told
  };

  struct Channel {
    Moment sent;           // the latest send, with all earlier ones in its clock
    bool several = false;  // more than one sender: knowing the latest is not knowing all
  };

  uint32_t laneOf(uint32_t thread, uint64_t index);
  uint32_t begin(uint32_t thread);
  void after(uint32_t lane, const Moment& m);
  Moment momentOf(uint32_t lane) const { return {threads_[lane].known, lane, threads_[lane].latest}; }
  // m = momentOf(lane), without touching counts when m has the clock already.
  void note(Moment& m, uint32_t lane) const {
    const Thread& t = threads_[lane];
    if (!m.others.shares(t.known)) m.others = t.known;
    m.lane = lane;
    m.own = t.latest;
  }
  void limitIdle();

  uint32_t idleThreads_;
  BlockPool pool_;
  Lanes<uint64_t> lanes_;
  std::vector<Thread> threads_;  // by lane
  std::vector<Moment> forked_;   // by thread, until it starts
  Clock passedOn_;               // at least the ends of all threads whose lanes have passed on
  Chunked<Moment, 8> writes_;    // by variable: its last write
  Chunked<Moment, 8> atomics_;   // by variable: its last atomic access
  Chunked<Moment, 8> objects_;   // by object: its last at
  Chunked<Channel, 8> channels_;
  Clock floor_;  // fold: what every forgotten write is after
  bool folded_ = false;
};

}  // namespace predrace

#endif  // PREDRACE_ENGINES_MUST_ORDER_H
