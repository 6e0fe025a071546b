// Locks: sections as the engine demands them, whatever the program does.
//
// Not thread-safe. Numbers locks densely and sees to it that a lock has at most
// one exclusive owner, that only who holds a lock releases it, and that an
// attempt that failed stays inside the section it bumped into.
//
// A program can do what no section describes (unlock a mutex that another
// thread locked). Such locks are told as best they can be, with hard order from
// the unlock to the next section so that no false race comes of it, and odd() says
// that prediction rests on false ground from then on.
//
// A failed attempt on m, by B while A is inside: at(m) of A, at(m) of B, and at(m)
// of A again before it releases. A's first is where the merged stream is with A, at
// or behind its acquire: a place any witness then keeps, so it only adds order.
#ifndef PREDRACE_TOOLS_ENGINE_LOCKS_H
#define PREDRACE_TOOLS_ENGINE_LOCKS_H

#include <cstdint>
#include <deque>
#include <vector>

#include "tools/engine/channels.h"

namespace predrace {

class Locks {
 public:
  Locks(Emitter& emitter, Channels& channels) : emitter_(emitter), channels_(channels) {}

  // A number for a lock that the object's first use makes.
  uint32_t make(uint32_t object);
  void retire(uint32_t lock);

  void acquire(uint32_t lock, uint32_t thread, uint32_t site);
  void release(uint32_t lock, uint32_t thread, uint32_t site);
  void sharedAcquire(uint32_t lock, uint32_t thread, uint32_t site);
  void sharedRelease(uint32_t lock, uint32_t thread, uint32_t site);
  // `object` is the engine's number for at() of this lock.
  void tryFail(uint32_t lock, uint32_t object, uint32_t thread, uint32_t site);
  // An ended thread holds nothing any more.
  void endThread(uint32_t thread, uint32_t site);

  // The program is ending: threads stop telling one by one, so that a section
  // without an end is no longer a sign of anything.
  void ending() { ending_ = true; }

  bool odd() const { return odd_; }
  size_t count() const { return made_; }
  // The object that a lock number stands for.
  uint32_t objectOfLock(uint32_t lock) const { return lock < locks_.size() ? locks_[lock].object : 0; }

 private:
  struct Lock {
    uint32_t object = 0;       // the runtime's id
    uint32_t owner = kNone;    // exclusive
    uint32_t last = kNone;     // thread that released last
    uint32_t site = 0;         // of the last acquire
    uint32_t bumped = kNone;   // engine's object of attempts that failed in this section
    uint32_t foreign = kNone;  // channel from unlocks by other threads
    std::vector<uint32_t> readers;
  };
  void take(uint32_t lock, uint32_t thread, uint32_t site, Op op);
  void leave(uint32_t lock, uint32_t thread, uint32_t site, Op op);
  void forceOut(uint32_t lock, uint32_t site);
  std::vector<uint32_t>& heldBy(uint32_t thread) {
    if (thread >= held_.size()) held_.resize(thread + 1);
    return held_[thread];
  }

  Emitter& emitter_;
  Channels& channels_;
  std::vector<Lock> locks_;
  std::vector<std::vector<uint32_t>> held_;  // by thread: locks, shared ones too
  std::deque<uint32_t> free_;
  size_t made_ = 0;
  bool odd_ = false;
  bool ending_ = false;
};

}  // namespace predrace

#endif  // PREDRACE_TOOLS_ENGINE_LOCKS_H
