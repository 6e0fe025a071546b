// Atomics: C++ release sequences and fences, as hard order.
//
// Not thread-safe. A release and the acquires that read from its release
// sequence are snd and rcv of one channel. What each operation does, with X the
// atomic object's set of channels:
//
//   load  acquire    rcv X, ar         relaxed   ar; X is remembered for an acquire fence
//   store release    aw, snd(c), X={c} relaxed   aw, X={the thread's release fence}, or empty
//   update acquire   rcv X, au ...     relaxed   au ...; X is remembered
//          ... release  snd(c in X)       ... relaxed  X += the thread's release fence
//   fence acquire    rcv of all that is remembered
//         release    snd(new c), the thread's release fence from now on
//
// Why in this order: in C++ a release store itself happens before the acquire
// load that reads it. So the snd comes behind the store (else freeing the
// atomic after having seen the last reference go would race with the store),
// and the rcv before the load (else the load would race with a plain
// initialisation before the store). Both are within one step of the merged
// stream, so the kept order of the atomic accesses agrees with it.
//
// Only adding order, where exactness would cost too much:
//  - an acquire fence receives what was sent on a remembered channel up to the
//    fence, not up to the load;
//  - a relaxed store by the thread whose release store heads X keeps X, as C++11
//    to C++17 say (C++20 says not);
//  - X has at most kSet channels and a thread remembers at most kRemembered.
#ifndef PREDRACE_TOOLS_ENGINE_ATOMICS_H
#define PREDRACE_TOOLS_ENGINE_ATOMICS_H

#include <cstdint>
#include <vector>

#include "runtime/wire/record.h"
#include "tools/engine/channels.h"

namespace predrace {

class Atomics {
 public:
  explicit Atomics(Channels& channels) : channels_(channels) {}

  // The release sequences that a load of an object may read from now.
  struct Sequence {
    static constexpr unsigned kSet = 4;
    uint32_t channels[kSet];
    uint32_t count = 0;
    uint32_t head = kNone;         // thread of the release store that began it
    uint32_t version = 0;          // counts what was sent
    uint32_t received = kNone;     // thread that last received all of it ...
    uint32_t receivedVersion = 0;  // ... at this version: spinning need not do so again
  };

  // What comes before and behind the access events of an operation.
  void beforeLoad(Sequence& x, uint32_t thread, Order order, uint32_t site);
  void afterStore(Sequence& x, uint32_t thread, Order order, uint32_t site);
  void afterUpdate(Sequence& x, uint32_t thread, Order order, uint32_t site);
  void fence(uint32_t thread, Order order, uint32_t site);
  // The object, or the thread, is gone.
  void clear(Sequence& x);
  void endThread(uint32_t thread);

 private:
  static constexpr size_t kRemembered = 256;
  struct Thread {
    uint32_t fence = kNone;            // channel of its last release fence
    std::vector<uint32_t> remembered;  // channels of its relaxed loads since its last acquire fence
  };

  Thread& threadOf(uint32_t thread) {
    if (thread >= threads_.size()) threads_.resize(thread + 1);
    return threads_[thread];
  }
  void add(Sequence& x, uint32_t channel);
  void sendOn(Sequence& x, uint32_t thread, uint32_t site);
  void carryFence(Sequence& x, uint32_t thread, uint32_t site);
  void remember(Thread& t, uint32_t thread, uint32_t channel, uint32_t site);

  Channels& channels_;
  std::vector<Thread> threads_;
};

}  // namespace predrace

#endif  // PREDRACE_TOOLS_ENGINE_ATOMICS_H
