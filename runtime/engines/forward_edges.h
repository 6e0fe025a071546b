// ForwardEdges: what keeps its order in every reordering that swaps no conflicting accesses
// and no conflicting sections, except for thread order, which is understood.
//
// Ordered are, from the earlier to the later event of the trace: fork -> first event, last event ->
// join, snd -> rcv, neighbours in the kept order of at and atomic accesses, conflicting accesses, and a
// release -> a later acquire of a conflicting section.
//
// Kept are only edges between threads, and not those that others imply **in every set of
// events that is closed under TRF** (see recorded_trace.h), whatever it leaves out. Of the edges into k
// those of TRF itself are needed, one from each thread; of the others, from i,
// (1) none if i is in k's past: TRF leads from i to k;
// (2) none if a write or exclusive section j between i and k is in k's past, which is then in every set
//     that has k: i has its way to j.
// So where data flows with the locks few edges are left. If threads only ever write, never read, it is one
// per event and thread.
//
// Edges are kept by pairs of threads, so that a search for the earliest event that can be
// reached takes all edges of a range of places in one step.
//
// Immutable once built; thread-compatible.
#ifndef PREDRACE_ENGINES_FORWARD_EDGES_H
#define PREDRACE_ENGINES_FORWARD_EDGES_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/engines/range_minima.h"
#include "runtime/engines/recorded_trace.h"

namespace predrace {

class ForwardEdges {
 public:
  // The edges from one thread into another.
  struct Link {
    uint32_t thread;               // into
    std::vector<uint32_t> places;  // of the sources, growing
    RangeMinima targets;           // their places

    // The earliest place that edges from the places first, ..., past - 1 lead to.
    uint32_t earliest(uint32_t first, uint32_t past) const {
      auto begin = std::ranges::lower_bound(places, first);
      auto end = std::lower_bound(begin, places.end(), past);
      return targets.minimum(static_cast<size_t>(begin - places.begin()),
                             static_cast<size_t>(end - places.begin()));
    }
  };

  explicit ForwardEdges(const RecordedTrace& trace);

  std::span<const Link> linksFrom(uint32_t thread) const { return links_[thread]; }
  // Calls f(thread, place) for each event that must come after the one at `place`, if it comes at all.
  template <class F>
  void from(uint32_t thread, uint32_t place, F f) const {
    for (const Link& l : links_[thread]) {
      auto n = static_cast<size_t>(std::ranges::lower_bound(l.places, place) - l.places.begin());
      for (; n < l.places.size() && l.places[n] == place; ++n) f(l.thread, l.targets[n]);
    }
  }

 private:
  std::vector<std::vector<Link>> links_;  // by thread: from
};

}  // namespace predrace

#endif  // PREDRACE_ENGINES_FORWARD_EDGES_H
