// Locks: the closed critical sections of each lock, as far back as any may still matter.
//
// The definition takes a shared section of l by thread t as a section of a lock l@t, and an
// exclusive one as a section of l and of every l@t. Here a number of the trace stands for a
// list of its exclusive sections, `main`, and for one more list per lane that ever took it
// shared: the sections of l@t are those of both lists together, and as happens-before orders
// all of them, what the two lists say one after the other is what l@t would say.
//
// Sections of all lists are numbered together, growing; so a list's id that is used again
// cannot be confused with what others still say about the old one.
//
// Invariants, for each list and J = `ordered`:
// (1) Whoever is in a later section that has to do with the list has H(rel^J) in P: the
//     sections up to J say nothing new to anybody.
// (2) `sections` has the latest one, and of those after J all that rule (a) or rule (b) can
//     still ask for (wcp_memory.cpp).
//
// Not thread-safe.
#ifndef PREDRACE_ENGINES_WCP_LOCKS_H
#define PREDRACE_ENGINES_WCP_LOCKS_H

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "runtime/engines/chunked.h"
#include "runtime/engines/race.h"
#include "runtime/engines/vector_clock.h"

namespace predrace::wcp {

using Epoch = uint32_t;
using Clock = VectorClock<Epoch>;
using Moment = Stamp<Epoch>;

struct Section {
  Clock known;  // H at its release, own lane apart
  uint32_t number = 0;
  uint16_t lane = 0;
  bool kept = false;                 // mark of a sweep
  Epoch acquired = 0, released = 0;  // own epochs at both ends

  bool within(const Clock& c) const { return released <= c[lane]; }
  Epoch operator[](uint32_t l) const { return l == lane ? released : known[l]; }
  void joinInto(BlockPool& pool, Clock& c) const {
    c.join(pool, known);
    c.raise(pool, lane, released);
  }
};
static_assert(sizeof(Section) == 24);

struct Lock {
  std::vector<Section> sections;  // from `first` on, in the order of numbers
  uint32_t first = 0;
  uint32_t ordered = 0;
  Clock P;  // at the latest release
  // P was raised after the latest release: to have happened after that is not to know P.
  bool raised = false;
  std::vector<std::pair<uint32_t, uint32_t>> readers;  // of a main: (lane, its list), oldest first
  uint32_t main = 0;                                   // of a reader's list; 0: it is a main

  const Section* latest() const { return sections.empty() ? nullptr : &sections.back(); }
  size_t count() const { return sections.size() - first; }
  // The last section after `ordered` whose acquire is in v (they are a prefix); null: none.
  template <class V>
  Section* locate(const V& v);
  // Null: it is not there any more.
  Section* find(uint32_t section);
};

class Locks {
 public:
  Lock& operator[](uint32_t id) { return locks_[id]; }
  // The list that a number stands for; `latest` is the greatest number of a section.
  uint32_t main(uint32_t number, uint32_t latest) {
    if (number < byNumber_.size() && byNumber_[number]) [[likely]]
      return byNumber_[number];
    return make(number, latest);
  }
  uint32_t find(uint32_t number) const { return number < byNumber_.size() ? byNumber_[number] : 0; }
  // The list of the lane's shared sections.
  uint32_t reader(uint32_t main, uint32_t lane, uint32_t latest);

  // One more closed section, to be filled.
  Section& push(Lock& l);
  // All up to this section say nothing new any more.
  void order(Lock& l, const Section* j);
  template <class Gone>
  void eraseIf(Lock& l, Gone gone);
  // The lock's history is over. REQUIRES: not held.
  void forget(uint32_t number);

  uint32_t count() const { return count_; }  // ids are from 1 on, below this
  size_t sections() const { return sections_; }
  size_t memoryBytes() const {
    return room_ * sizeof(Section) + locks_.memoryBytes() + byNumber_.capacity() * sizeof(uint32_t);
  }

 private:
  uint32_t take(uint32_t latest);
  uint32_t make(uint32_t number, uint32_t latest);
  void clear(uint32_t id);

  Chunked<Lock, 6> locks_;
  uint32_t count_ = 1;
  std::vector<uint32_t> byNumber_, free_;
  size_t sections_ = 0, room_ = 0;
};

template <class V>
Section* Lock::locate(const V& v) {
  auto in = [&](uint32_t i) { return sections[i].acquired <= v[sections[i].lane]; };
  uint32_t low = first, end = static_cast<uint32_t>(sections.size());
  if (low < end && sections[low].number <= ordered) ++low;
  if (low == end || !in(low)) return nullptr;
  if (in(end - 1)) return &sections[end - 1];
  uint32_t high = end - 1;  // in(low), not in(high)
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    (in(middle) ? low : high) = middle;
  }
  return &sections[low];
}

template <class Gone>
void Locks::eraseIf(Lock& l, Gone gone) {
  size_t before = l.count(), room = l.sections.capacity();
  std::vector<Section> left;
  for (size_t i = l.first; i < l.sections.size(); ++i)
    if (!gone(l.sections[i])) left.push_back(std::move(l.sections[i]));
  l.sections = std::move(left);
  l.first = 0;
  sections_ -= before - l.count();
  room_ -= room - l.sections.capacity();
}

}  // namespace predrace::wcp

#endif  // PREDRACE_ENGINES_WCP_LOCKS_H
