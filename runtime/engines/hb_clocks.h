// HbClocks: happens-before as one clock per thread, for every engine that needs it.
//
// A thread's moment is (what it knows of the other lanes, its own tick). The tick grows
// after each event that another thread can be ordered after: release, fork, send, and
// whatever else the engine tells with tick(). So access a of lane u at tick k is ordered
// before lane t's present exactly if k <= known(t)[u].
//
// Edges: thread order, fork -> first event, last event -> join, snd -> rcv, and from each
// release of a lock to later acquires of it, of which shared ones order nothing among
// themselves. An engine with a stronger order adds edges with after().
//
// Invariants:
// (1) known(t) of a lane has nothing to say about t itself: ask own(t).
// (2) A thread's lane is given to a later thread only if all it did is ordered before that
//     thread's first event (lanes.h); a lane that runs out of ticks is left for a new one.
// (3) Ended threads that nobody waited for: beyond kIdle of them the oldest count as ordered
//     before everything later. That only adds order.
//
// Not thread-safe.
#ifndef PREDRACE_ENGINES_HB_CLOCKS_H
#define PREDRACE_ENGINES_HB_CLOCKS_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "runtime/engines/chunked.h"
#include "runtime/engines/event.h"
#include "runtime/engines/lanes.h"
#include "runtime/engines/vector_clock.h"

namespace predrace {

class HbClocks {
 public:
  using Clock = VectorClock<uint32_t>;
  using Moment = Stamp<uint32_t>;

  HbClocks() = default;
  HbClocks(const HbClocks&) = delete;
  HbClocks& operator=(const HbClocks&) = delete;

  // The lane of the event's thread, which starts if it is new.
  uint32_t laneOf(uint32_t thread) {
    if (thread < laneByThread_.size() && laneByThread_[thread] != kNone) [[likely]]
      return laneByThread_[thread];
    return begin(thread);
  }
  // Does what a synchronisation event does to the clocks. Accesses, At and the rest do nothing.
  void on(uint32_t lane, const Event& e);

  uint32_t own(uint32_t lane) const { return threads_[lane].own; }
  const Clock& known(uint32_t lane) const { return threads_[lane].known; }
  // Is that moment of lane `first` ordered before the present of lane `second`?
  bool ordered(uint32_t first, uint32_t tick, uint32_t second) const {
    // Not `||`: whose access it was is what branch prediction cannot know.
    return (first == second) | (tick <= threads_[second].known[first]);
  }
  // Whose was the lane at that tick?
  uint32_t threadAt(uint32_t lane, uint32_t tick) const { return lanes_.threadAt(lane, tick); }
  Moment now(uint32_t lane) const { return {threads_[lane].known, lane, threads_[lane].own}; }
  // m = now(lane), without touching counts when m has the clock already.
  void note(Moment& m, uint32_t lane) const {
    const Thread& t = threads_[lane];
    if (!m.others.shares(t.known)) m.others = t.known;
    m.lane = lane;
    m.own = t.own;
  }
  // The same of the others' part alone.
  void note(Clock& known, uint32_t lane) const {
    if (!known.shares(threads_[lane].known)) known = threads_[lane].known;
  }
  // The lane's next event comes after that moment.
  void after(uint32_t lane, const Moment& m) {
    Thread& t = threads_[lane];
    if (m && m.lane != lane && m.own > t.known[m.lane]) m.joinInto(pool_, t.known);
  }
  // What the lane does from now on is not ordered before what comes after its moments so far.
  // The thread may go on in another lane: ask laneOf again.
  void tick(uint32_t lane) {
    if (++threads_[lane].own >= kLongest) [[unlikely]]
      renew(lane);
  }
  // The lane's next event comes after everything that clock knows.
  void after(uint32_t lane, const Clock& known) { threads_[lane].known.join(pool_, known); }

  uint32_t lanes() const { return static_cast<uint32_t>(threads_.size()); }
  BlockPool& pool() { return pool_; }

  void forgetLock(uint32_t lock);
  void forgetChannel(uint32_t channel);
  size_t memoryBytes() const;

 private:
  static constexpr uint32_t kIdle = 512;
  static constexpr uint32_t kLongest = 0xf0000000;

  struct Thread {
    Clock known;
    uint32_t own = 0;
    uint32_t number = kNone;
    absl::InlinedVector<uint32_t, 4> held;  // lock << 1 | shared: for a thread that ends with them
  };
  struct Lock {
    Moment exclusive;  // of the last exclusive release
    Clock shared;      // of all shared releases
  };
  struct Channel {
    Moment sent;           // the latest send, with all earlier ones in its clock
    bool several = false;  // more than one sender: knowing the latest is not knowing all
  };

  uint32_t begin(uint32_t thread);
  void renew(uint32_t lane);
  void acquire(uint32_t lane, uint32_t lock, bool shared);
  void release(uint32_t lane, uint32_t lock, bool shared);
  void drop(uint32_t lane, uint32_t member);
  void end(uint32_t lane);
  void limitIdle();

  BlockPool pool_;
  Lanes<uint32_t> lanes_;
  std::vector<uint32_t> laneByThread_;  // kNone: not started, or its lane has passed on
  std::vector<Thread> threads_;         // by lane
  std::vector<Moment> forked_;          // by thread, until it starts
  std::vector<Moment> ended_;           // by thread, once its lane has passed on
  Chunked<Lock, 8> locks_;
  Chunked<Channel, 8> channels_;
};

}  // namespace predrace

#endif  // PREDRACE_ENGINES_HB_CLOCKS_H
