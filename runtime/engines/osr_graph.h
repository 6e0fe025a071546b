// OsrGraph: can the events of a set be put in an order that keeps all conflicting accesses
// and closed sections as they were, with open sections behind the closed ones of their lock?
// (Shi, Mathur, Pavlogiannis, ICSE 2024, Lemma 4.2 and section 4.2.)
//
// All edges but those from a release to an earlier, open acquire go forward in the trace, so
// every cycle passes such acquires. The abstract graph has only them as nodes, and an
// edge from a to b if forward edges lead from a to a release that must come before b. How
// far forward edges lead is found as the paper does, by the earliest event of each thread that can be
// reached: of the edges of one thread into another those that start in a range of places are wanted,
// and of these the one that ends first (RangeMinima).
//
// Departs from the paper: there conflicts count only between neighbours in the trace. That loses an
// order where the neighbour is not in the set; here every conflicting pair of the set counts.
//
// The edges are found when the first set asks for them. Not thread-safe.
#ifndef PREDRACE_ENGINES_OSR_GRAPH_H
#define PREDRACE_ENGINES_OSR_GRAPH_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "runtime/engines/forward_edges.h"
#include "runtime/engines/recorded_trace.h"

namespace predrace {

class OsrGraph {
 public:
  // REQUIRES: the trace outlives it.
  explicit OsrGraph(const RecordedTrace& trace) : trace_(trace) {}

  // REQUIRES, for both: the cut is TRF-closed, `reversed` are its open acquires with a later
  // conflicting section in the cut, and these are closed.
  bool acyclic(const Cut& cut, std::span<const uint32_t> reversed);
  // The cut's events in such an order, as near to the trace as it goes. REQUIRES: acyclic.
  std::vector<uint32_t> order(const Cut& cut, std::span<const uint32_t> reversed);

 private:
  // The last release of one thread that must come before a node.
  struct Source {
    uint32_t thread, place;
  };
  struct BackEdge {
    uint32_t release, acquire;
  };
  using Counts = std::vector<std::vector<uint32_t>>;  // by thread and place

  void findSources(const Cut& cut, std::span<const uint32_t> reversed);
  std::span<const Source> sourcesOf(size_t node) const {
    return std::span(sources_).subspan(sourcesBegin_[node], sourcesBegin_[node + 1] - sourcesBegin_[node]);
  }
  void reachFrom(const Cut& cut, uint32_t acquire);
  void follow(const Cut& cut, uint32_t thread);
  bool reached(size_t node) const;
  std::vector<BackEdge> backEdges(std::span<const uint32_t> reversed) const;
  Counts countWaits(const Cut& cut, std::span<const BackEdge> back) const;

  const RecordedTrace& trace_;
  std::optional<ForwardEdges> edges_;

  // Of the set that is asked about.
  std::vector<Source> sources_;
  std::vector<size_t> sourcesBegin_;      // by node, and the end of all
  uint32_t latest_ = 0;                   // the last source in the trace: no cycle goes beyond
  std::vector<uint32_t> reach_, passed_;  // by thread: places reached; the edges of those from passed_ on
                                          // have been followed
  std::vector<uint32_t> waiting_;         // threads with reach_ < passed_
};

}  // namespace predrace

#endif  // PREDRACE_ENGINES_OSR_GRAPH_H
