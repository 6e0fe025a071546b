// Solver: which unknown sections wait for which, and their values when nothing is open.
//
// J(m,k) = max(a(m,k), max{j < k : acq(m)^j in H(rel(n)^{J(n,i)})} over the (n,i) that
// rel(m)^k depends on); the least solution counts. It can be computed as soon as none of
// the sections it depends on, directly or not, is open.
//
// Each open unknown section has a slot; a group is everything that waits for the same
// set of slots: closed sections, and checks of accesses.
//
// Invariants:
// (1) The slots of a section's group include those of the groups, and the slots, of all
//     that it depends on.
// (2) No two groups have the same slots; none has an empty set: those are solved at once.
//
// Not thread-safe.
#ifndef PREDRACE_ENGINES_CP_SOLVER_H
#define PREDRACE_ENGINES_CP_SOLVER_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "runtime/engines/cp_locks.h"
#include "runtime/engines/cp_unknown.h"

namespace predrace::cp {

struct Check;

// A set of slots; as many as there are.
class SlotSet {
 public:
  bool empty() const { return words_.empty(); }
  bool has(uint32_t slot) const { return slot / 64 < words_.size() && (words_[slot / 64] >> slot % 64 & 1); }
  void add(uint32_t slot) {
    if (slot / 64 >= words_.size()) words_.resize(slot / 64 + 1, 0);
    words_[slot / 64] |= uint64_t{1} << slot % 64;
  }
  void add(const SlotSet& o) {
    if (o.words_.size() > words_.size()) words_.resize(o.words_.size(), 0);
    for (size_t i = 0; i < o.words_.size(); ++i) words_[i] |= o.words_[i];
  }
  void remove(uint32_t slot) {
    if (!has(slot)) return;
    words_[slot / 64] &= ~(uint64_t{1} << slot % 64);
    while (!words_.empty() && !words_.back()) words_.pop_back();
  }
  bool operator==(const SlotSet& o) const { return words_ == o.words_; }

 private:
  absl::InlinedVector<uint64_t, 2> words_;  // the last one is not zero
};

class Solver {
 public:
  Solver(BlockPool& pool, Locks& locks) : pool_(pool), locks_(locks) {}

  // Grows whenever any unknown section gives more, or is decided.
  uint64_t version() const { return version_; }

  // A section begins whose J is not known, but at least this; rel(m)^{k-1} was by that
  // lane at that epoch.
  Unknown* open(uint32_t lock, uint32_t k, uint32_t J, uint32_t beforeLane, Epoch beforeOwn);
  // rule (a), or the release, says J is at least j. REQUIRES: j > u->J.
  void raise(Unknown* u, uint32_t j);
  // The section ends. u->needs says what it depends on.
  void close(Unknown* u);
  // The check waits for what it depends on. REQUIRES: that is not empty.
  void wait(Check* check, const UnknownSet& on);

  // Checks that can be decided now; the caller empties it.
  std::vector<Check*>& ready() { return ready_; }

  // A section held for long keeps everything that depends on it waiting, though often
  // its value cannot matter: tries both its least and its greatest J, and decides
  // what comes out the same. With `give`, takes the greatest where they differ (that
  // only adds order) and so decides everything that is closed.
  // decided(check): told for each check, says whether it is over; it may ask greatest().
  template <class Decided>
  void tighten(bool give, Decided decided) {
    bound(give);
    for (uint32_t g : live_) checks_ -= std::erase_if(groups_[g].checks, decided);
    settleBounds();
  }
  // The most that u may give yet. Valid during tighten.
  Moment greatest(const Unknown* u) const;

  uint32_t lowestJ(uint32_t lock) const;
  // Sections of the lock later than k are after it.
  void order(uint32_t lock, uint32_t k);

  size_t waiting() const { return closed_ + checks_; }
  size_t openNow() const { return open_.size() - freeSlots_.size(); }
  size_t closedNow() const { return closed_; }
  size_t checksNow() const { return checks_; }
  size_t memoryBytes() const {
    return groups_.capacity() * sizeof(Group) + (closed_ + checks_) * 2 * sizeof(void*) +
           open_.capacity() * 8;
  }

 private:
  struct Group {
    SlotSet slots;
    std::vector<Unknown*> sections;  // counted
    std::vector<Check*> checks;
  };

  SlotSet slotsOf(const UnknownSet& on) const;
  uint32_t groupOf(const SlotSet& slots);
  void closeSlot(uint32_t slot, const SlotSet& instead);
  void mergeEqual();
  void solveFree();
  void relax(std::span<Unknown* const> sections);
  void bound(bool give);
  void settleBounds();
  void decide(Unknown* u);
  void freeSlot(uint32_t slot);

  BlockPool& pool_;
  Locks& locks_;
  std::vector<Unknown*> open_;  // by slot
  std::vector<uint32_t> freeSlots_;
  std::vector<Group> groups_;
  std::vector<uint32_t> live_, freeGroups_;  // groups in use, and not
  std::vector<Check*> ready_;
  struct Bound {
    Unknown* section;
    uint32_t group;
    uint32_t J;  // at most
    Moment given;
  };
  std::vector<Bound> bounds_;  // tighten: the closed sections; their `place` is the position here
  uint64_t version_ = 1;
  size_t closed_ = 0, checks_ = 0;
};

}  // namespace predrace::cp

#endif  // PREDRACE_ENGINES_CP_SOLVER_H
