#include "runtime/engines/cp_locks.h"

namespace predrace::cp {

// A number's new lock goes on above all numbers that sections of free ids ever had; so a
// reader of it may take any id that was free then.
uint32_t Locks::make(uint32_t number, uint32_t parent) {
  uint32_t id = 0;
  if (!free_.empty() && (!parent || locks_[free_.back()].last <= locks_[parent].zero)) {
    id = free_.back();
    free_.pop_back();
  } else {
    id = count_++;
  }
  Lock& l = locks_[id];
  l.inUse = true;
  l.number = number;
  l.parent = parent;
  if (!parent) {
    l.last = l.zero = l.J = l.atLeast = highest_;
    l.first = highest_ + 1;
    if (number >= byNumber_.size()) byNumber_.resize(number + 1, 0);
    byNumber_[number] = id;
  }
  return id;
}

uint32_t Locks::findReader(uint32_t main, uint32_t lane) const {
  for (auto [l, id] : locks_[main].readers)
    if (l == lane) return id;
  return 0;
}

uint32_t Locks::reader(uint32_t main, uint32_t lane) {
  if (uint32_t id = findReader(main, lane)) return id;
  uint32_t id = make(locks_[main].number, main);
  Lock& l = locks_[main];
  Lock& r = locks_[id];
  r.first = l.first;
  r.last = r.inherited = l.last;
  r.zero = l.zero;
  r.J = l.J;
  r.atLeast = l.atLeast;
  r.unknown.set(pool_, l.unknown.get());
  r.C = l.C;
  r.U = l.U;
  r.releaseSite = l.releaseSite;
  l.readers.emplace_back(lane, id);
  return id;
}

void Locks::drop(Lock& l, uint32_t floor) {
  uint32_t from = std::max(l.first, l.inherited + 1);
  uint32_t to = std::min(floor, l.last + 1);
  for (uint32_t k = from; k < to; ++k) l.ring[k & (l.ring.size() - 1)].known.clear();
  l.first = std::max(l.first, floor);
}

void Locks::grow(Lock& l) {
  uint32_t from = std::max(l.first, l.inherited + 1);
  size_t used = l.last + 1 - from;
  if (used * 2 <= l.ring.size() && !l.ring.empty()) return;
  std::vector<Section> bigger(l.ring.empty() ? 4 : l.ring.size() * 2);
  for (uint32_t k = from; k <= l.last; ++k)
    bigger[k & (bigger.size() - 1)] = std::move(l.ring[k & (l.ring.size() - 1)]);
  records_ += bigger.size() - l.ring.size();
  l.ring = std::move(bigger);
}

void Locks::shrink(Lock& l) {
  uint32_t from = std::max(l.first, l.inherited + 1);
  size_t used = l.last + 1 > from ? l.last + 1 - from : 0, room = 4;
  while (room < used + 1) room *= 2;
  if (room >= l.ring.size()) return;
  std::vector<Section> smaller(room);
  for (uint32_t k = from; k <= l.last; ++k)
    smaller[k & (room - 1)] = std::move(l.ring[k & (l.ring.size() - 1)]);
  records_ -= l.ring.size() - room;
  l.ring = std::move(smaller);
}

void Locks::forget(uint32_t number) {
  uint32_t id = find(number);
  if (!id) return;
  byNumber_[number] = 0;
  locks_[id].forgotten = true;
  auto readers = locks_[id].readers;
  for (auto [lane, reader] : readers) {
    locks_[reader].forgotten = true;
    recycleIfDone(reader);
  }
  if (readers.empty()) recycleIfDone(id);
}

// Readers go first: they look at their parent's sections.
void Locks::recycleIfDone(uint32_t id) {
  Lock& l = locks_[id];
  if (!l.forgotten || l.unknowns || !l.readers.empty()) return;
  uint32_t parent = l.parent;
  highest_ = std::max(highest_, l.last);
  l.unknown.set(pool_, nullptr);
  records_ -= l.ring.size();
  uint32_t last = l.last;
  l = Lock();
  l.last = last;
  free_.push_back(id);
  if (!parent) return;
  std::erase_if(locks_[parent].readers, [&](const auto& r) { return r.second == id; });
  recycleIfDone(parent);
}

void Locks::restart() {
  for (uint32_t id : free_) locks_[id].last = 0;
  highest_ = 0;
}

}  // namespace predrace::cp
