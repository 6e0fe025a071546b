// EpochAccess: one access in sixteen bytes: when it was, as an epoch (lane and tick, see
// hb_clocks.h), and what a report tells of it. Its thread is the lane's tenant at that tick.
#ifndef PREDRACE_ENGINES_EPOCH_ACCESS_H
#define PREDRACE_ENGINES_EPOCH_ACCESS_H

#include <cstdint>

#include "runtime/engines/event.h"
#include "runtime/engines/hb_clocks.h"
#include "runtime/engines/race.h"

namespace predrace {

struct EpochAccess {
  uint32_t tick = 0;  // 0: no access
  uint32_t site = 0;
  uint64_t lane : 18 = 0;
  uint64_t index : 42 = 0;
  uint64_t op : 3 = 0;
  uint64_t flag : 1 = 0;  // of the owner's choice

  explicit operator bool() const { return tick != 0; }
  // Both leave the flag alone.
  void set(const Event& e, uint32_t l, uint32_t t) {
    tick = t;
    site = e.site;
    lane = l;
    index = e.index;
    op = static_cast<uint64_t>(e.op);
  }
  void set(const EpochAccess& a) {
    bool own = flag;
    *this = a;
    flag = own;
  }
  RacingAccess racing(const HbClocks& clocks) const {
    uint32_t l = static_cast<uint32_t>(lane);
    return {index, clocks.threadAt(l, tick), site, kNone, static_cast<Op>(op)};
  }
};
static_assert(sizeof(EpochAccess) == 16);
static_assert(static_cast<int>(Op::AtomicUpdate) < 8, "an access's op has three bits");

}  // namespace predrace

#endif  // PREDRACE_ENGINES_EPOCH_ACCESS_H
