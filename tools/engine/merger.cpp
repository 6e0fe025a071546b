#include "tools/engine/merger.h"

namespace predrace {

void Merger::addRing(Ring* ring, uint32_t thread) { inputs_.emplace_back(ring, thread); }

// Rings that were waiting go first: others may in turn wait for them.
uint32_t Merger::pick() {
  if (!ready_.empty()) {
    uint32_t which = ready_.back();
    ready_.pop_back();
    inputs_[which].state = State::Open;
    return which;
  }
  for (size_t i = 0; i < inputs_.size(); ++i) {
    uint32_t which = cursor_;
    cursor_ = cursor_ + 1 < inputs_.size() ? cursor_ + 1 : 0;
    Input& in = inputs_[which];
    if (in.state != State::Open) continue;
    if (!in.reader.empty() || (!frozen_ && in.reader.refresh() != 0)) return which;
  }
  return kNobody;
}

void Merger::giveBack(Input& in) {
  in.given = in.reader.tail();
  if (in.reader.giveBack()) wake_(in.reader.ring());
}

void Merger::grow(uint32_t object) {
  size_t size = next_.size() < 1024 ? 1024 : next_.size();
  while (size <= object) size *= 2;
  next_.resize(size, 0);
  waiters_.resize(size, kNobody);
}

void Merger::advance(uint32_t object, uint32_t ticket) {
  next_[object] = (ticket + 1) & kTicketMask;
  if (waiters_[object] != kNobody) wakeWaiters(object);
}

void Merger::block(uint32_t ring, uint32_t object) {
  Input& in = inputs_[ring];
  in.state = State::Blocked;
  in.nextWaiter = waiters_[object];
  waiters_[object] = ring;
}

void Merger::wakeWaiters(uint32_t object) {
  uint32_t* link = &waiters_[object];
  while (*link != kNobody) {
    Input& in = inputs_[*link];
    if (!isTurn(object, ticketOf(in.reader.peek()))) {
      link = &in.nextWaiter;
      continue;
    }
    uint32_t which = *link;
    *link = in.nextWaiter;
    in.state = State::Ready;
    ready_.push_back(which);
    return;  // tickets are unique: at most one record's turn has come
  }
}

void Merger::freeze() {
  for (Input& in : inputs_) in.reader.refreshLast();
  frozen_ = true;
}

bool Merger::skipGap() {
  uint32_t object = 0, ticket = 0, fewest = ~0u;
  for (Input& in : inputs_) {
    if (in.state != State::Blocked) continue;
    const Slot& s = in.reader.peek();
    if (objectOf(s) != kMemoryObject) continue;
    uint32_t missing = (ticketOf(s) - next_[objectOf(s)]) & kTicketMask;
    if (missing >= fewest) continue;
    fewest = missing;
    object = objectOf(s);
    ticket = ticketOf(s);
  }
  if (fewest == ~0u) return false;
  next_[object] = ticket;
  wakeWaiters(object);
  return true;
}

void Merger::discard() {
  for (Input& in : inputs_) {
    if (!frozen_) in.reader.refresh();
    in.reader.pop(static_cast<unsigned>(in.reader.head() - in.reader.tail()));
    giveBack(in);
  }
}

bool Merger::holdsUpAWriter() const {
  for (const Input& in : inputs_) {
    if (in.state == State::Blocked && __atomic_load_n(&in.reader.ring()->waiting, __ATOMIC_RELAXED))
      return true;
  }
  return false;
}

uint64_t Merger::cutOff() const {
  uint64_t slots = 0;
  for (const Input& in : inputs_) slots += in.reader.head() - in.reader.tail();
  return slots;
}

}  // namespace predrace
