// HeldLocks: for each thread, the sets of locks that protect its reads and its writes.
//
// A shared section protects reads only. Sets are ids of one Locksets, in which every member is
// marked exclusive, and a lock has a new identity after forget(): the number may come back as
// another lock. Sections that nest are left without a search. Not thread-safe.
#ifndef PREDRACE_ENGINES_HELD_LOCKS_H
#define PREDRACE_ENGINES_HELD_LOCKS_H

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "runtime/engines/chunked.h"
#include "runtime/engines/lockset.h"

namespace predrace {

class HeldLocks {
 public:
  struct Protection {
    uint32_t reads = Locksets::kEmpty, writes = Locksets::kEmpty;
  };

  const Protection& of(uint32_t thread) {
    if (thread >= threads_.size()) [[unlikely]]
      threads_.resize(thread + 1);
    return threads_[thread].now;
  }
  void acquire(uint32_t thread, uint32_t lock, bool shared);
  void release(uint32_t thread, uint32_t lock, bool shared);
  void end(uint32_t thread);
  void forget(uint32_t lock);

  // The locks that both sets have.
  uint32_t common(uint32_t a, uint32_t b) {
    Common& c = common_[(a * 31 + b) % kCommons];
    if (c.a != a || c.b != b) [[unlikely]]
      c = {a, b, sets_.common(a, b)};
    return c.common;
  }

  // Forgets the sets that are in use by no thread nor by users: calls rename(id) for each
  // of theirs through forEach(rename), which gives the new id.
  template <class ForEach>
  void compact(ForEach forEach);

  size_t memoryBytes() const {
    return sets_.memoryBytes() + locks_.memoryBytes() + threads_.capacity() * sizeof(Thread) + heldBytes_;
  }

 private:
  static constexpr uint32_t kCommons = 256;

  struct Held {
    uint32_t lock;
    bool shared;
    Protection before;
  };
  struct Thread {
    Protection now;
    std::vector<Held> held;  // in the order of acquires
  };
  struct Lock {
    uint32_t identity = ~0u;  // ~0: none yet
    // The step to a set with this lock that was taken last.
    uint32_t from = ~0u, to = 0;
  };
  struct Common {
    uint32_t a = 0, b = 0, common = 0;  // the empty set has nothing in common with itself
  };

  uint32_t with(uint32_t set, Lock& l);
  void protect(Thread& t, uint32_t lock, bool shared);

  Locksets sets_;
  Chunked<Lock, 8> locks_;
  std::vector<Thread> threads_;
  Common common_[kCommons];
  uint32_t identities_ = 0;
  size_t heldBytes_ = 0;
};

template <class ForEach>
void HeldLocks::compact(ForEach forEach) {
  Locksets old = std::exchange(sets_, Locksets());
  std::vector<uint32_t> names(old.size(), ~0u);
  auto rename = [&](uint32_t id) {
    if (names[id] == ~0u) names[id] = sets_.of(old.locks(id));
    return names[id];
  };
  auto renameBoth = [&](Protection& p) { p = {rename(p.reads), rename(p.writes)}; };
  for (Thread& t : threads_) {
    renameBoth(t.now);
    for (Held& h : t.held) renameBoth(h.before);
  }
  forEach(rename);
  for (size_t c = 0; c < locks_.chunks(); ++c)
    if (Lock* chunk = locks_.chunk(c))
      for (uint32_t i = 0; i < locks_.kChunk; ++i) chunk[i].from = ~0u;
  for (Common& c : common_) c = Common();
}

}  // namespace predrace

#endif  // PREDRACE_ENGINES_HELD_LOCKS_H
