// Locks: the critical sections of each lock, as far back as any may still matter.
//
// Sections of a lock are numbered; J(m,k) is an integer between the lock's `zero` (none)
// and k-1. A number of the trace stands for one lock, `main`, and for one more per lane
// that ever took it shared: a shared section of l by lane t is a section of the lock
// l@t, an exclusive one is a section of l and of every l@t. A new l@t starts with the
// exclusive sections that l has had; it does not copy them but reads those up to
// `inherited` from its parent.
//
// Which sections matter: J(m,.) grows with k, so sections below J of the latest section
// never matter for later ones, and those below the J of an unknown section never matter
// for it. Everything below both is dropped; that changes no result.
//
// Ids start at 1 and are reused after forget(); numbering of sections then goes on, so
// that what others still say about the old lock is below the new one's `zero`.
//
// Not thread-safe.
#ifndef PREDRACE_ENGINES_CP_LOCKS_H
#define PREDRACE_ENGINES_CP_LOCKS_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "runtime/engines/chunked.h"
#include "runtime/engines/cp_unknown.h"
#include "runtime/engines/race.h"

namespace predrace::cp {

struct Section {
  Clock known;  // H at its release, own lane apart
  uint32_t lane = 0;
  Epoch acquired = 0;  // own epochs at both ends
  Epoch released = 0;

  bool within(const Clock& c) const { return released <= c[lane]; }
  Moment end() const { return {known, lane, released}; }
  void joinInto(BlockPool& pool, Clock& clock) const {
    clock.join(pool, known);
    clock.raise(pool, lane, released);
  }
};
static_assert(sizeof(Section) == 24);

struct Lock {
  std::vector<Section> ring;  // power of two; section k is at k & (size - 1)
  uint32_t first = 1;         // sections [first, last] are there (those up to `inherited` at the parent's)
  uint32_t last = 0;
  uint32_t zero = 0;      // the number before its first section
  uint32_t J = 0;         // of the latest section, if it is not unknown
  uint32_t atLeast = 0;   // folded: J of every later section is at least this
  UnknownRef unknown;     // the latest section, if its J is not known
  uint32_t unknowns = 0;  // sections not known, the latest included
  Clock C;                // what the latest release passes on, beside its Section
  UnknownSet U;
  uint32_t releaseSite = 0;
  uint32_t number = 0;  // in the trace
  uint32_t parent = 0;  // of an l@t: l
  uint32_t inherited = 0;
  std::vector<std::pair<uint32_t, uint32_t>> readers;  // of an l: (lane, its l@t)
  uint32_t holder = kNone;                             // lane
  bool inUse = false;
  bool forgotten = false;
  uint32_t setBefore = kNone, setWith = 0;  // last step of a thread's lockset that this lock made

  uint32_t latestJ() const {
    uint32_t j = unknown ? unknown->J : J;
    return j < atLeast ? atLeast : j;
  }
};

class Locks {
 public:
  explicit Locks(BlockPool& pool) : pool_(pool) {}

  Lock& operator[](uint32_t id) { return locks_[id]; }
  // The lock that a number stands for now.
  uint32_t main(uint32_t number) {
    if (number < byNumber_.size() && byNumber_[number]) [[likely]]
      return byNumber_[number];
    return make(number, 0);
  }
  uint32_t find(uint32_t number) const { return number < byNumber_.size() ? byNumber_[number] : 0; }
  // Its l@t for that lane. REQUIRES: main is not held.
  uint32_t reader(uint32_t main, uint32_t lane);
  uint32_t findReader(uint32_t main, uint32_t lane) const;

  const Section& at(const Lock& l, uint32_t k) const {
    if (k > l.inherited) [[likely]]
      return l.ring[k & (l.ring.size() - 1)];
    return at(locks_[l.parent], k);
  }
  Section& latest(Lock& l) { return l.ring[l.last & (l.ring.size() - 1)]; }
  // The number of a new section; lowestJ() is asked when room is short.
  template <class LowestJ>
  uint32_t push(uint32_t id, LowestJ lowestJ) {
    Lock& l = locks_[id];
    uint32_t from = l.first > l.inherited ? l.first : l.inherited + 1;
    if (l.last + 1 - from >= l.ring.size()) [[unlikely]] {
      drop(l, floor(id, lowestJ));
      grow(l);
    }
    return ++l.last;
  }

  // The greatest j in [J, k) with acq^j in v, given that all up to J are: they are a
  // prefix.
  template <class V>
  uint32_t locate(const Lock& l, const V& v, uint32_t k, uint32_t J) const {
    uint32_t low = J, high = k - 1;
    auto in = [&](uint32_t j) {
      const Section& s = at(l, j);
      return s.acquired <= v[s.lane];
    };
    if (low >= high || !in(low + 1)) return low;
    if (in(high)) return high;
    ++low;
    --high;
    while (low < high) {
      uint32_t middle = low + (high - low + 1) / 2;
      if (in(middle))
        low = middle;
      else
        high = middle - 1;
    }
    return low;
  }

  // The lock's history is over. REQUIRES: not held.
  void forget(uint32_t number);
  bool isFree(uint32_t id) const { return !locks_[id].inUse; }
  // Greatest number of a section of a lock that is free now. When nobody mentions those any
  // more, numbers may restart.
  uint32_t highest() const { return highest_; }
  void restart();
  // One unknown section less.
  void decided(uint32_t id) {
    if (--locks_[id].unknowns == 0 && locks_[id].forgotten) recycleIfDone(id);
  }

  // From now on every section counts as CP-after section k and those before it.
  void order(uint32_t id, uint32_t k) {
    if (locks_[id].atLeast < k) locks_[id].atLeast = k;
  }
  // Drops what does not matter any more, and room that is not needed.
  template <class LowestJ>
  void trim(uint32_t id, LowestJ lowestJ) {
    drop(locks_[id], floor(id, lowestJ));
    shrink(locks_[id]);
  }

  uint32_t count() const { return count_; }  // ids are below
  uint64_t records() const { return records_; }
  size_t memoryBytes() const { return records_ * sizeof(Section) + locks_.memoryBytes(); }

 private:
  uint32_t make(uint32_t number, uint32_t parent);
  void recycleIfDone(uint32_t id);
  void drop(Lock& l, uint32_t floor);
  void grow(Lock& l);
  void shrink(Lock& l);

  template <class LowestJ>
  uint32_t floor(uint32_t id, LowestJ lowestJ) {
    Lock& l = locks_[id];
    uint32_t f = l.latestJ();
    if (l.unknowns > (l.unknown && !l.unknown->final ? 1u : 0u)) f = std::min(f, lowestJ(id));
    for (auto [lane, reader] : l.readers)
      if (locks_[reader].first <= locks_[reader].inherited) {
        locks_[reader].first = std::max(locks_[reader].first, floor(reader, lowestJ));
        f = std::min(f, locks_[reader].first);
      }
    return f;
  }

  BlockPool& pool_;
  mutable Chunked<Lock, 6> locks_;
  uint32_t count_ = 1;
  uint32_t highest_ = 0;  // number of any section of a recycled lock
  std::vector<uint32_t> byNumber_, free_;
  uint64_t records_ = 0;  // room in all rings
};

}  // namespace predrace::cp

#endif  // PREDRACE_ENGINES_CP_LOCKS_H
