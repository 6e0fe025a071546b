// Owners: the lockset owners rho that there are: accesses x^i and x_T^i, and acquires m^i.
//
// All order between events is in their locksets; threads, locks and channels have no state of
// their own. So forgetting all owners forgets all order.
// Not thread-safe.
#ifndef PREDRACE_ENGINES_RAPTOR_OWNERS_H
#define PREDRACE_ENGINES_RAPTOR_OWNERS_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <list>
#include <vector>

#include "runtime/engines/cp_variables.h"
#include "runtime/engines/race.h"
#include "runtime/engines/raptor_locksets.h"

namespace predrace::raptor {

struct AccessOwner {
  Locksets sets;
  RacingAccess access;
  cp::Kind kind;
  std::vector<uint32_t> marked;  // the threads T with xi_T, decided or not
  uint32_t undecided = 0;        // how many of them are in Accesses' queues
  bool retired = false;          // no more to come: goes when nothing is undecided

  bool markedBy(uint32_t t) const { return std::ranges::find(marked, t) != marked.end(); }
};

struct AcquireOwner {
  uint32_t index;  // the i of m^i
  Locksets sets;
};

// A lock of the paper; one of the trace is several of them if it is taken shared.
struct PlainLock {
  uint32_t sections = 0;             // so far
  uint32_t folded = 0;               // up to here all count as ordered before everything later
  bool open = false;                 // the latest one
  std::vector<AcquireOwner> owners;  // indices grow
};

struct Owners {
  using Access = std::list<AccessOwner>::iterator;

  std::list<AccessOwner> accesses;
  std::vector<PlainLock> locks;

  // "for all rho do"
  template <class F>
  void forAll(F f) {
    for (AccessOwner& o : accesses) f(o.sets);
    for (PlainLock& l : locks)
      for (AcquireOwner& o : l.owners) f(o.sets);
  }

  void retire(Access o) {
    o->retired = true;
    dropIfDone(o);
  }
  void dropIfDone(Access o) {
    if (o->retired && !o->undecided) accesses.erase(o);
  }
};

}  // namespace predrace::raptor

#endif  // PREDRACE_ENGINES_RAPTOR_OWNERS_H
