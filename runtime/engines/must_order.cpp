#include "runtime/engines/must_order.h"

#include <utility>

namespace predrace {

uint32_t MustOrder::begin(uint32_t thread) {
  Moment parent;
  if (thread < forked_.size()) parent = std::exchange(forked_[thread], Moment());
  auto place = lanes_.start(thread, [&](uint32_t lane) { return parent ? parent[lane] : 0; });
  if (place.lane >= threads_.size()) threads_.resize(place.lane + 1);
  Thread& t = threads_[place.lane];
  if (t.latest) momentOf(place.lane).joinInto(pool_, passedOn_);
  t.known.clear();
  if (parent) parent.joinInto(pool_, t.known);
  return place.lane;
}

uint32_t MustOrder::laneOf(uint32_t thread, uint64_t index) {
  uint32_t lane = lanes_.of(thread);
  if (lane == kNone) lane = begin(thread);
  threads_[lane].latest = index + 1;
  return lane;
}

void MustOrder::after(uint32_t lane, const Moment& m) {
  Thread& t = threads_[lane];
  if (!m || m.lane == lane || m.within(t.known)) return;
  m.joinInto(pool_, t.known);
}

void MustOrder::fork(uint32_t thread, uint32_t child, uint64_t index) {
  uint32_t lane = laneOf(thread, index);
  if (lanes_.everOf(child) != kNone) return;
  if (child >= forked_.size()) forked_.resize(child + 1);
  forked_[child] = momentOf(lane);
}

void MustOrder::join(uint32_t thread, uint32_t child, uint64_t index) {
  uint32_t lane = laneOf(thread, index), other = lanes_.of(child);
  if (other != kNone) {
    threads_[other].latest = index + 1;  // whatever it did last, it was before this
    after(lane, momentOf(other));
    lanes_.end(child, threads_[other].latest);
  } else if (child < forked_.size()) {
    after(lane, forked_[child]);
    if (lanes_.everOf(child) != kNone) threads_[lane].known.join(pool_, passedOn_);  // joined before
  }
}

void MustOrder::end(uint32_t thread, uint64_t index) {
  uint32_t lane = laneOf(thread, index);
  lanes_.end(thread, threads_[lane].latest);
  limitIdle();
}

void MustOrder::limitIdle() {
  Clock all;
  for (uint32_t lane : lanes_.orderOldest(idleThreads_)) momentOf(lane).joinInto(pool_, all);
  if (!all.size()) return;
  for (Thread& t : threads_) t.known.join(pool_, all);
  for (Moment& m : forked_)
    if (m) m.others.join(pool_, all);
}

void MustOrder::send(uint32_t thread, uint32_t channel, uint64_t index) {
  uint32_t lane = laneOf(thread, index);
  Channel& c = channels_[channel];
  Moment now = momentOf(lane);
  if (c.sent && (c.several || c.sent.lane != lane)) {
    c.sent.joinInto(pool_, now.others);
    c.several = true;
  }
  c.sent = std::move(now);
}

void MustOrder::receive(uint32_t thread, uint32_t channel, uint64_t index) {
  uint32_t lane = laneOf(thread, index);
  const Channel* c = channels_.find(channel);
  if (!c || !c->sent) return;
  if (c->several)
    c->sent.joinInto(pool_, threads_[lane].known);
  else
    after(lane, c->sent);
}

void MustOrder::at(uint32_t thread, uint32_t object, uint64_t index) {
  uint32_t lane = laneOf(thread, index);
  Moment& o = objects_[object];
  after(lane, o);
  note(o, lane);
}

void MustOrder::keep(uint32_t thread, uint32_t variable, uint64_t index) {
  after(laneOf(thread, index), atomics_[variable]);
}

void MustOrder::read(uint32_t thread, uint32_t variable, uint64_t index, bool atomic) {
  uint32_t lane = laneOf(thread, index);
  if (const Moment* w = writes_.find(variable); w && *w)
    after(lane, *w);
  else if (folded_)
    threads_[lane].known.join(pool_, floor_);
  if (atomic) note(atomics_[variable], lane);
}

void MustOrder::write(uint32_t thread, uint32_t variable, uint64_t index, bool atomic) {
  uint32_t lane = laneOf(thread, index);
  note(writes_[variable], lane);
  if (atomic) note(atomics_[variable], lane);
}

bool MustOrder::orderedBefore(uint32_t firstThread, uint64_t firstIndex, uint32_t secondThread) const {
  uint32_t first = lanes_.everOf(firstThread), second = lanes_.of(secondThread);
  if (first == kNone || first == second) return first == second;
  if (second != kNone) return firstIndex < threads_[second].known[first];
  return secondThread < forked_.size() && firstIndex < forked_[secondThread][first];  // not begun yet
}

void MustOrder::splitVariable(uint32_t from, uint32_t to) {
  if (const Moment* w = writes_.find(from)) writes_[to] = Moment(*w);
  if (const Moment* a = atomics_.find(from)) atomics_[to] = Moment(*a);
}

void MustOrder::forgetVariable(uint32_t variable) {
  if (Moment* w = writes_.find(variable)) *w = Moment();
  if (Moment* a = atomics_.find(variable)) *a = Moment();
}

void MustOrder::forgetChannel(uint32_t channel) {
  if (Channel* c = channels_.find(channel)) *c = Channel();
}

void MustOrder::forgetObject(uint32_t object) {
  if (Moment* o = objects_.find(object)) *o = Moment();
}

size_t MustOrder::memoryBytes() const {
  return pool_.memoryBytes() + lanes_.memoryBytes() + threads_.capacity() * sizeof(Thread) +
         forked_.capacity() * sizeof(Moment) + writes_.memoryBytes() + atomics_.memoryBytes() +
         objects_.memoryBytes() + channels_.memoryBytes();
}

// Atomic variables keep their place: there are few, and losing it would lose order.
void MustOrder::fold() {
  for (uint32_t lane = 0; lane < threads_.size(); ++lane) momentOf(lane).joinInto(pool_, floor_);
  folded_ = true;
  for (size_t c = 0; c < writes_.chunks(); ++c) writes_.drop(c);
}

}  // namespace predrace
