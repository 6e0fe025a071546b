#include "runtime/engines/goldilocks_sync.h"

#include <algorithm>

namespace predrace {

// What the lane has done comes before what comes after `to`. Its later accesses do not.
void GoldilocksSync::give(uint32_t lane, Element& to) {
  if (to == kNone) to = table_.add();
  Thread& t = threads_[lane];
  table_.pass(t.element, to);
  if (t.set != kNone) table_.drop(t.set);
  t.set = kNone;
}

void GoldilocksSync::take(uint32_t lane, Element from) {
  if (from != kNone) table_.pass(from, threads_[lane].element);
}

void GoldilocksSync::drop(Element& e) {
  if (e != kNone) table_.remove(e);
  e = kNone;
}

uint32_t GoldilocksSync::begin(uint32_t thread) {
  Element parent = thread < forked_.size() ? forked_[thread] : kNone;
  auto known = [&](uint32_t lane) {
    return parent != kNone && table_.covers(parent, threads_[lane].element) ? 1u : 0u;
  };
  uint32_t lane = lanes_.start(thread, known).lane;
  if (lane >= threads_.size()) threads_.resize(lane + 1);
  if (thread >= laneByThread_.size()) laneByThread_.resize(thread + 1, kNone);
  Thread& t = threads_[lane];
  if (t.number != kNone)
    passOn(lane);
  else
    t.element = table_.add();
  laneByThread_[thread] = lane;
  t.number = thread;
  if (parent != kNone) {
    take(lane, parent);
    drop(forked_[thread]);
  }
  return lane;
}

// Whoever still joins the former tenant learns its end from an element of its own.
void GoldilocksSync::passOn(uint32_t lane) {
  uint32_t former = threads_[lane].number;
  Element last = kNone;
  give(lane, last);
  ended_.emplace_back(former, last);
  laneByThread_[former] = kNone;
  if (ended_.size() <= kEnded) return;
  table_.remove(ended_.front().second);
  ended_.pop_front();
}

void GoldilocksSync::acquire(uint32_t lane, uint32_t lock, bool shared) {
  Lock& l = locks_[lock];
  take(lane, l.exclusive);
  if (!shared) take(lane, l.shared);
  threads_[lane].held.push_back(lock << 1 | shared);
}

void GoldilocksSync::release(uint32_t lane, uint32_t lock, bool shared) {
  Lock& l = locks_[lock];
  give(lane, shared ? l.shared : l.exclusive);
}

void GoldilocksSync::unhold(uint32_t lane, uint32_t member) {
  auto& held = threads_[lane].held;
  auto latest = std::find(held.rbegin(), held.rend(), member);
  if (latest != held.rend()) held.erase(std::next(latest).base());
}

void GoldilocksSync::fork(uint32_t lane, uint32_t child) {
  if (lanes_.everOf(child) != kNone) return;
  if (child >= forked_.size()) forked_.resize(child + 1, kNone);
  drop(forked_[child]);  // forked twice: the later one counts
  give(lane, forked_[child]);
}

void GoldilocksSync::join(uint32_t lane, uint32_t child) {
  uint32_t other = lanes_.everOf(child);
  if (other == kNone || other == lane) return;
  if (laneByThread_[child] == other) {
    end(other);
    return take(lane, threads_[other].element);
  }
  auto it = std::find_if(ended_.begin(), ended_.end(), [&](const auto& e) { return e.first == child; });
  take(lane, it != ended_.end() ? it->second : threads_[other].element);
}

void GoldilocksSync::end(uint32_t lane) {
  Thread& t = threads_[lane];
  for (uint32_t member : t.held) release(lane, member >> 1, member & 1);
  t.held.clear();
  lanes_.end(t.number, 1);
  limitIdle();
}

void GoldilocksSync::limitIdle() {
  for (uint32_t idle : lanes_.orderOldest(kIdle)) {
    for (const Thread& t : threads_) table_.pass(threads_[idle].element, t.element);
    for (Element e : forked_)
      if (e != kNone) table_.pass(threads_[idle].element, e);
  }
}

void GoldilocksSync::on(uint32_t lane, const Event& e) {
  switch (e.op) {
    case Op::Acquire:
    case Op::SharedAcquire:
      return acquire(lane, e.target, e.op == Op::SharedAcquire);
    case Op::Release:
    case Op::SharedRelease: {
      bool shared = e.op == Op::SharedRelease;
      unhold(lane, e.target << 1 | shared);
      return release(lane, e.target, shared);
    }
    case Op::Fork:
      return fork(lane, e.target);
    case Op::Join:
      return join(lane, e.target);
    case Op::Send:
      return give(lane, channels_[e.target].element);
    case Op::Receive:
      return take(lane, channels_[e.target].element);
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

void GoldilocksSync::forgetLock(uint32_t lock) {
  Lock* l = locks_.find(lock);
  if (!l) return;
  drop(l->exclusive);
  drop(l->shared);
}

void GoldilocksSync::forgetChannel(uint32_t channel) {
  if (Maybe* c = channels_.find(channel)) drop(c->element);
}

size_t GoldilocksSync::memoryBytes() const {
  return table_.memoryBytes() + lanes_.memoryBytes() + threads_.capacity() * sizeof(Thread) +
         (laneByThread_.capacity() + forked_.capacity()) * sizeof(uint32_t) +
         ended_.size() * sizeof(ended_.front()) + locks_.memoryBytes() + channels_.memoryBytes();
}

}  // namespace predrace
