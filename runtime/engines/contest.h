// Contest: is there any pair of accesses that a schedule might bring together?
//
// Asked before anything dear is done about a trace. A pair is out if one lock keeps the two
// apart, or if hard order does: fork and join, snd and rcv. Per variable, thread, lockset and kind the
// last access is enough: whatever it is ordered before, the earlier ones are too.
//
// Not thread-safe.
#ifndef PREDRACE_ENGINES_CONTEST_H
#define PREDRACE_ENGINES_CONTEST_H

#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "runtime/engines/cp_variables.h"
#include "runtime/engines/hb_clocks.h"
#include "runtime/engines/lockset.h"

namespace predrace {

class Contest {
 public:
  // REQUIRES: it outlives this.
  explicit Contest(Locksets& locksets) : locksets_(locksets) {}

  // Fork, join, snd, rcv; others do nothing.
  void synchronise(const Event& e);
  // Could the access race with one before it?
  bool access(const Event& e, uint32_t lockset);

 private:
  struct Last {
    uint32_t lane, tick, lockset;
    cp::Kind kind;
  };

  bool apart(uint32_t a, uint32_t b);

  Locksets& locksets_;
  HbClocks clocks_;
  absl::flat_hash_map<uint32_t, absl::InlinedVector<Last, 4>> last_;  // by variable
  absl::flat_hash_map<uint64_t, bool> apart_;                         // by pair of locksets
};

}  // namespace predrace

#endif  // PREDRACE_ENGINES_CONTEST_H
