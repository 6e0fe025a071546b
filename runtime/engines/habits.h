// Habits: what all accesses of a variable have in common. Most variables cannot race whatever the
// schedule: one thread's own, those nobody writes, those that are only accessed atomically, and those
// with a lock that all hold, writers not shared.
#ifndef PREDRACE_ENGINES_HABITS_H
#define PREDRACE_ENGINES_HABITS_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime/engines/event.h"
#include "runtime/engines/lockset.h"
#include "runtime/engines/race.h"

namespace predrace {

class Habits {
 public:
  // An access by a thread that has none beside it: order keeps it apart from all others.
  void addAlone(Op op, uint32_t thread) {
    otherThread_ |= anyThread_ != kNone && anyThread_ != thread;
    anyThread_ = thread;
    anyWrite_ |= writes(op);
    atomic_ |= isAtomic(op);
  }
  // An access by the thread, which holds the lockset.
  void add(Op op, uint32_t thread, uint32_t held, const Locksets& locksets) {
    bool first = thread_ == kNone, writing = writes(op);
    if (first) {
      thread_ = thread;
      lockset_ = held;
    }
    addAlone(op, thread);
    several_ |= thread_ != thread;
    if (first || lockset_ != held || (writing && !written_))
      keep(locksets.locks(lockset_), locksets.locks(held), writing);
    written_ |= writing;
    plain_ |= !isAtomic(op);
  }
  // Does the order of its accesses matter? Otherwise all see what they see whatever the schedule. (Atomic
  // accesses keep theirs, even if they only read.)
  bool shared() const { return otherThread_ && (anyWrite_ || atomic_); }
  bool canRace() const { return several_ && written_ && plain_ && !locks_; }

 private:
  static constexpr size_t kLocks = 32;  // more are not looked at

  // Writers are kept apart from everybody by a lock only if they hold it exclusively.
  void keep(std::span<const uint32_t> first, std::span<const uint32_t> held, bool writing) {
    uint32_t protects = 0;
    for (size_t k = 0; k < std::min(first.size(), kLocks); ++k)
      for (uint32_t h : held)
        if (Locksets::lockOf(h) == Locksets::lockOf(first[k]) && !(writing && Locksets::isShared(h)))
          protects |= 1u << k;
    locks_ &= protects;
  }

  // Of all accesses.
  uint32_t anyThread_ = kNone;
  bool otherThread_ = false, anyWrite_ = false, atomic_ = false;
  // Of those with threads beside them.
  bool several_ = false, written_ = false, plain_ = false;
  uint32_t thread_ = kNone;   // of the first access, and of all unless several_
  uint32_t lockset_ = kNone;  // of the first access
  uint32_t locks_ = ~0u;      // which of its locks protect all accesses, as bits
};

}  // namespace predrace

#endif  // PREDRACE_ENGINES_HABITS_H
