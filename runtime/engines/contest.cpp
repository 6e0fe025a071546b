#include "runtime/engines/contest.h"

namespace predrace {

void Contest::synchronise(const Event& e) {
  switch (e.op) {
    case Op::Fork:
    case Op::Join:
    case Op::Send:
    case Op::Receive:
      return clocks_.on(clocks_.laneOf(e.thread), e);
    default:
      return;
  }
}

bool Contest::apart(uint32_t a, uint32_t b) {
  if (a == Locksets::kEmpty || b == Locksets::kEmpty) return false;
  auto [known, fresh] = apart_.try_emplace(uint64_t{a} << 32 | b, false);
  if (!fresh) return known->second;
  for (uint32_t x : locksets_.locks(a))
    for (uint32_t y : locksets_.locks(b))
      if (Locksets::lockOf(x) == Locksets::lockOf(y) && !(Locksets::isShared(x) && Locksets::isShared(y)))
        known->second = true;
  return known->second;
}

bool Contest::access(const Event& e, uint32_t lockset) {
  uint32_t lane = clocks_.laneOf(e.thread);
  cp::Kind kind = cp::kindOf(e.op);
  Last* own = nullptr;
  auto& all = last_[e.target];
  for (Last& last : all) {
    if (last.lane == lane) {
      if (last.lockset == lockset && last.kind == kind) own = &last;
      continue;
    }
    if ((cp::kConflicts[kind] & cp::bit(last.kind)) && !clocks_.ordered(last.lane, last.tick, lane) &&
        !apart(last.lockset, lockset))
      return true;
  }
  if (!own) own = &all.emplace_back(Last{lane, 0, lockset, kind});
  own->tick = clocks_.own(lane);
  return false;
}

}  // namespace predrace
