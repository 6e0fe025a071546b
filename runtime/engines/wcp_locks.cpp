#include "runtime/engines/wcp_locks.h"

#include <algorithm>

namespace predrace::wcp {

Section* Lock::find(uint32_t section) {
  auto s = std::lower_bound(sections.begin() + first, sections.end(), section,
                            [](const Section& a, uint32_t n) { return a.number < n; });
  return s != sections.end() && s->number == section ? &*s : nullptr;
}

// What is said about a former list of that id is about numbers up to `latest`.
uint32_t Locks::take(uint32_t latest) {
  uint32_t id = count_;
  if (free_.empty()) {
    ++count_;
  } else {
    id = free_.back();
    free_.pop_back();
  }
  locks_[id].ordered = latest;
  return id;
}

uint32_t Locks::make(uint32_t number, uint32_t latest) {
  if (number >= byNumber_.size()) byNumber_.resize(number + 1, 0);
  return byNumber_[number] = take(latest);
}

uint32_t Locks::reader(uint32_t main, uint32_t lane, uint32_t latest) {
  for (auto [l, id] : locks_[main].readers)
    if (l == lane) return id;
  uint32_t id = take(latest);
  locks_[id].main = main;
  locks_[main].readers.emplace_back(lane, id);
  return id;
}

// Dropped ones make room as soon as they are half of it, so that a section moves once on
// average.
Section& Locks::push(Lock& l) {
  if (l.sections.size() == l.sections.capacity()) [[unlikely]] {
    if (l.first && l.first >= l.count()) {
      l.sections.erase(l.sections.begin(), l.sections.begin() + l.first);
      l.first = 0;
    } else {
      size_t room = l.sections.capacity();
      l.sections.reserve(std::max<size_t>(8, 2 * room));
      room_ += l.sections.capacity() - room;
    }
  }
  ++sections_;
  return l.sections.emplace_back();
}

void Locks::order(Lock& l, const Section* j) {
  l.ordered = j->number;
  uint32_t to = static_cast<uint32_t>(j - l.sections.data());
  for (uint32_t i = l.first; i < to; ++i) l.sections[i].known.clear();
  sections_ -= to - l.first;
  l.first = to;
}

void Locks::clear(uint32_t id) {
  Lock& l = locks_[id];
  sections_ -= l.count();
  room_ -= l.sections.capacity();
  l = Lock();
  l.ordered = kNone;  // nothing that is said about a free one matters
  free_.push_back(id);
}

void Locks::forget(uint32_t number) {
  uint32_t id = find(number);
  if (!id) return;
  byNumber_[number] = 0;
  for (auto [lane, reader] : std::vector(locks_[id].readers)) clear(reader);
  clear(id);
}

}  // namespace predrace::wcp
