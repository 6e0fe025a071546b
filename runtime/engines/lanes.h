// Lanes: which component of the clocks belongs to which thread.
//
// Threads come and go, 100,000 of them one after the other is not unusual; their
// numbers are never reused, components of clocks must be. A thread takes over the
// lane of an ended one if everything that one did is ordered (hard order, so in
// every order we compute) before its own first event. Ticks go on growing. Then for
// every clock V, which is closed downwards: if V has an event of the new tenant it
// has all events of the old ones, so "tick <= V[lane]" still means "in V", exactly.
// And where an analysis asks "another thread?" it may ask "another lane?": the
// pairs this leaves out are ordered anyway.
//
// Not thread-safe.
#ifndef PREDRACE_ENGINES_LANES_H
#define PREDRACE_ENGINES_LANES_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/engines/race.h"

namespace predrace {

template <class Tick>
class Lanes {
 public:
  // kNone: not started, or its lane has passed on.
  uint32_t of(uint32_t thread) const {
    return thread < lane_.size() && lane_[thread] < kPassedOn ? lane_[thread] : kNone;
  }
  // kNone: not started.
  uint32_t everOf(uint32_t thread) const {
    if (thread >= lane_.size() || lane_[thread] == kNone) return kNone;
    return lane_[thread] & ~kPassedOn;
  }
  uint32_t size() const { return static_cast<uint32_t>(lanes_.size()); }

  struct Place {
    uint32_t lane;
    Tick from;  // the first tick is above this one
  };
  // REQUIRES: of(thread) == kNone. known(lane): up to which tick is that lane ordered
  // before the thread's first event?
  template <class Known>
  Place start(uint32_t thread, Known known) {
    if (thread >= lane_.size()) lane_.resize(thread + 1, kNone);
    for (size_t i = 0; i < idle_.size(); ++i) {
      uint32_t lane = idle_[i];
      Tick last = lanes_[lane].last;
      if (known(lane) < last) continue;
      idle_.erase(idle_.begin() + static_cast<std::ptrdiff_t>(i));
      if (uint32_t& old = lane_[lanes_[lane].tenants.back().thread]; old == lane) old |= kPassedOn;
      if (lanes_[lane].ordered) --ordered_;
      return enter(thread, lane, last);
    }
    lanes_.emplace_back();
    return enter(thread, size() - 1, 0);
  }
  // The thread does nothing any more; `last` is its last tick.
  void end(uint32_t thread, Tick last) {
    Lane& l = lanes_[lane_[thread]];
    if (!l.live) return;
    l.live = false;
    l.last = last;
    idle_.push_back(lane_[thread]);
  }
  // Moves a running thread to a lane of its own: its ticks ran out.
  Place move(uint32_t thread, Tick last) {
    end(thread, last);
    lanes_.emplace_back();
    return enter(thread, size() - 1, 0);
  }

  // Ended threads that nobody waited for may keep their lanes for ever. If there are more
  // than `limit` idle lanes, the older half of them: the caller orders their last ticks
  // before everything later, so that they can pass on. Each is returned once.
  std::vector<uint32_t> orderOldest(size_t limit) {
    std::vector<uint32_t> out;
    if (idle_.size() - ordered_ <= limit) return out;
    for (uint32_t lane : idle_) {
      if (out.size() > limit / 2) break;
      if (lanes_[lane].ordered) continue;
      lanes_[lane].ordered = true;
      ++ordered_;
      out.push_back(lane);
    }
    return out;
  }

  bool live(uint32_t lane) const { return lanes_[lane].live; }
  Tick last(uint32_t lane) const { return lanes_[lane].last; }

  // Whose was the lane at that tick?
  uint32_t threadAt(uint32_t lane, Tick tick) const {
    const std::vector<Tenant>& t = lanes_[lane].tenants;
    auto next = std::partition_point(t.begin(), t.end(), [&](const Tenant& x) { return x.from < tick; });
    return next == t.begin() ? t.front().thread : (next - 1)->thread;
  }

  size_t memoryBytes() const {
    return lane_.capacity() * 4 + tenants_ * sizeof(Tenant) + lanes_.size() * sizeof(Lane);
  }

 private:
  static constexpr uint32_t kPassedOn = 1u << 31;
  struct Tenant {
    Tick from;  // its ticks are above this one
    uint32_t thread;
  };
  struct Lane {
    std::vector<Tenant> tenants;
    Tick last = 0;
    bool live = true;
    bool ordered = false;  // by orderOldest
  };

  Place enter(uint32_t thread, uint32_t lane, Tick from) {
    lane_[thread] = lane;
    lanes_[lane].live = true;
    lanes_[lane].ordered = false;
    lanes_[lane].tenants.push_back({from, thread});
    ++tenants_;
    return {lane, from};
  }

  std::vector<uint32_t> lane_;  // by thread
  std::vector<Lane> lanes_;
  std::vector<uint32_t> idle_;
  size_t tenants_ = 0, ordered_ = 0;
};

}  // namespace predrace

#endif  // PREDRACE_ENGINES_LANES_H
