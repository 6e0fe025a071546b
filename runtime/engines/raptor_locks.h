// Locks: Raptor at acquires and releases: Algorithms 3, 4, 5 and 7.
//
// A shared section of l by thread t is a section of the lock `l@t`; an exclusive one takes l and
// every l@t there is. A new l@t starts with all that is known of l: the exclusive sections so far
// count as sections of it too.
//
// Where the published algorithms are not followed:
// - Algorithm 4 is repeated for m's own owners until nothing changes. What one of them gains may
//   be what line 4 or 7 asks of another, or of itself (test/oracle/figures/raptor_selfdep.std).
// - Algorithm 7 keeps m^j as long as any other owner mentions it, so two nested sections keep each
//   other for ever. Here an owner m^j is kept while an access, or an open section, mentions it
//   directly or through others (sweep).
//
// Not thread-safe.
#ifndef PREDRACE_ENGINES_RAPTOR_LOCKS_H
#define PREDRACE_ENGINES_RAPTOR_LOCKS_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/container/btree_map.h"
#include "runtime/engines/raptor_owners.h"

namespace predrace::raptor {

class Locks {
 public:
  explicit Locks(Owners& owners) : owners_(owners) {}

  struct Copied {
    uint32_t from, to;  // plain locks
  };
  // REQUIRES before a shared acquire. What it tells has become of l and a new l@t.
  std::optional<Copied> addReader(uint32_t lock, uint32_t thread);
  void acquire(uint32_t thread, uint32_t lock, bool shared);
  void release(uint32_t thread, uint32_t lock, bool shared);
  void releaseAll(uint32_t thread);
  uint32_t threads() const { return static_cast<uint32_t>(held_.size()); }

  // heldBy(T), in plain locks.
  std::vector<Section> heldBy(uint32_t thread) const;
  // Rule (a): m^j conflicts with the section that t has open.
  void conflict(Section m, uint32_t t);

  // The plain locks that it was.
  std::vector<uint32_t> forget(uint32_t lock);
  // Forgets all owners; returns how many acquires.
  uint64_t fold();
  size_t memoryBytes() const;

 private:
  struct Held {
    Section section;
    uint32_t lock;  // of the trace
    bool shared;
  };
  struct TraceLock {
    uint32_t main = kNone;
    absl::btree_map<uint32_t, uint32_t> readers;  // thread -> l@t
  };

  std::vector<uint32_t> plainsOf(uint32_t thread, uint32_t lock, bool shared);
  uint32_t makePlain();
  void acquirePlain(uint32_t thread, uint32_t plain);
  void releasePlain(uint32_t thread, Section m);
  void preRelease(Section m, uint32_t thread, Offer& offer);
  void sweep();

  Owners& owners_;
  std::vector<TraceLock> locks_;  // by number in the trace
  std::vector<uint32_t> freePlain_;
  std::vector<std::vector<Held>> held_;  // by thread
  size_t acquires_ = 0;                  // owners of acquires
  size_t sweepAt_ = 64;
};

}  // namespace predrace::raptor

#endif  // PREDRACE_ENGINES_RAPTOR_LOCKS_H
