#include "runtime/engines/hb_clocks.h"

#include <algorithm>
#include <utility>

namespace predrace {

uint32_t HbClocks::begin(uint32_t thread) {
  Moment parent;
  if (thread < forked_.size()) parent = std::exchange(forked_[thread], Moment());
  auto place = lanes_.start(thread, [&](uint32_t lane) { return parent ? parent[lane] : 0; });
  if (place.lane >= threads_.size()) threads_.resize(place.lane + 1);
  if (thread >= laneByThread_.size()) laneByThread_.resize(thread + 1, kNone);
  Thread& t = threads_[place.lane];
  if (t.number != kNone) {
    // Whoever still joins the former tenant learns its end from here.
    if (t.number >= ended_.size()) ended_.resize(t.number + 1);
    ended_[t.number] = now(place.lane);
    laneByThread_[t.number] = kNone;
  }
  laneByThread_[thread] = place.lane;
  t.number = thread;
  t.own = place.from + 1;
  t.known.clear();
  if (parent) parent.joinInto(pool_, t.known);
  return place.lane;
}

// The thread of a lane that runs out of ticks goes on in a new one.
void HbClocks::renew(uint32_t lane) {
  uint32_t number = threads_[lane].number;
  Moment last = now(lane);
  auto place = lanes_.move(number, last.own);
  threads_.resize(std::max<size_t>(threads_.size(), place.lane + 1));
  Thread& t = threads_[place.lane];
  t.number = std::exchange(threads_[lane].number, kNone);
  t.own = 1;
  t.held = std::exchange(threads_[lane].held, {});
  last.joinInto(pool_, t.known);
  laneByThread_[number] = place.lane;
}

void HbClocks::acquire(uint32_t lane, uint32_t lock, bool shared) {
  Lock& l = locks_[lock];
  after(lane, l.exclusive);
  if (!shared && l.shared.size()) threads_[lane].known.join(pool_, l.shared);
  threads_[lane].held.push_back(lock << 1 | shared);
}

void HbClocks::release(uint32_t lane, uint32_t lock, bool shared) {
  Lock& l = locks_[lock];
  if (shared)
    now(lane).joinInto(pool_, l.shared);
  else
    note(l.exclusive, lane);
  ++threads_[lane].own;
}

void HbClocks::drop(uint32_t lane, uint32_t member) {
  auto& held = threads_[lane].held;
  for (size_t i = held.size(); i-- > 0;) {
    if (held[i] != member) continue;
    held.erase(held.begin() + static_cast<std::ptrdiff_t>(i));
    return;
  }
}

void HbClocks::end(uint32_t lane) {
  for (uint32_t member : threads_[lane].held) release(lane, member >> 1, member & 1);
  threads_[lane].held.clear();
  lanes_.end(threads_[lane].number, threads_[lane].own);
  limitIdle();
}

void HbClocks::limitIdle() {
  Clock all;
  for (uint32_t lane : lanes_.orderOldest(kIdle)) now(lane).joinInto(pool_, all);
  if (!all.size()) return;
  for (Thread& t : threads_) t.known.join(pool_, all);
  for (Moment& m : forked_)
    if (m) m.others.join(pool_, all);
}

void HbClocks::on(uint32_t lane, const Event& e) {
  switch (e.op) {
    case Op::Acquire:
      return acquire(lane, e.target, false);
    case Op::SharedAcquire:
      return acquire(lane, e.target, true);
    case Op::Release:
    case Op::SharedRelease:
      drop(lane, e.target << 1 | (e.op == Op::SharedRelease));
      release(lane, e.target, e.op == Op::SharedRelease);
      if (threads_[lane].own >= kLongest) [[unlikely]]
        renew(lane);
      return;
    case Op::Fork:
      if (lanes_.everOf(e.target) == kNone) {
        if (e.target >= forked_.size()) forked_.resize(e.target + 1);
        forked_[e.target] = now(lane);
      }
      return tick(lane);
    case Op::Join: {
      uint32_t child = e.target < laneByThread_.size() ? laneByThread_[e.target] : kNone;
      if (child == lane) return;
      if (child != kNone) {
        end(child);
        after(lane, now(child));
      } else if (e.target < ended_.size()) {
        after(lane, ended_[e.target]);
      }
      return;
    }
    case Op::Send: {
      Channel& c = channels_[e.target];
      Moment m = now(lane);
      if (c.sent && (c.several || c.sent.lane != lane)) {
        c.sent.joinInto(pool_, m.others);
        c.several = true;
      }
      c.sent = std::move(m);
      return tick(lane);
    }
    case Op::Receive: {
      Channel* c = channels_.find(e.target);
      if (!c || !c->sent) return;
      if (c->several)
        c->sent.joinInto(pool_, threads_[lane].known);
      else
        after(lane, c->sent);
      return;
    }
    case Op::End:
      return end(lane);
    case Op::Read:
    case Op::Write:
    case Op::Update:
    case Op::AtomicRead:
    case Op::AtomicWrite:
    case Op::AtomicUpdate:
    case Op::At:
    case Op::Begin:
    case Op::Branch:
    case Op::Inner:
      return;
  }
}

void HbClocks::forgetLock(uint32_t lock) {
  if (Lock* l = locks_.find(lock)) *l = Lock();
}

void HbClocks::forgetChannel(uint32_t channel) {
  if (Channel* c = channels_.find(channel)) *c = Channel();
}

size_t HbClocks::memoryBytes() const {
  return pool_.memoryBytes() + lanes_.memoryBytes() + laneByThread_.capacity() * sizeof(uint32_t) +
         threads_.capacity() * sizeof(Thread) + (forked_.capacity() + ended_.capacity()) * sizeof(Moment) +
         locks_.memoryBytes() + channels_.memoryBytes();
}

}  // namespace predrace
