// ChainOrder: a strict partial order over a few chains that only grows (the structure DS of M2's appendix A).
//
// A node is a place in a chain; a chain's nodes are ordered by place. For each pair of chains
// (c, d) the order between them is a staircase: steps (from, to), the node `from` of c and all
// above it are before `to` of d and all below it. Binary search answers the questions both ways.
//
// Departs from the paper in the inner structure: sorted steps instead of Fenwick trees, whose
// arrays are as long as the chains. What is asked about is mostly new edges near the end of both
// chains, where a sorted vector is cheap to change, and memory follows the edges, not the nodes.
//
// Invariants:
// (1) the order is transitive: insert() adds all that follows;
// (2) in a staircase both `from` and `to` grow strictly.
//
// Not thread-safe.
#ifndef PREDRACE_ENGINES_M2_ORDER_H
#define PREDRACE_ENGINES_M2_ORDER_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/engines/race.h"

namespace predrace::m2 {

struct Node {
  uint32_t chain, place;
};

// The nodes [since, from.place] of from.chain have come before `to`, and were not.
struct Added {
  Node from, to;
  uint32_t since;
};

class ChainOrder {
 public:
  // Nothing is ordered but the chains themselves.
  void reset(uint32_t chains);

  // The first node of the chain after n; kNone if there is none. REQUIRES: another chain than n's.
  uint32_t firstAfter(Node n, uint32_t chain) const { return steps(n.chain, chain).target(n.place); }
  // How many nodes of the chain are before n. REQUIRES: another chain than n's.
  uint32_t countBefore(Node n, uint32_t chain) const { return steps(chain, n.chain).sources(n.place); }
  bool before(Node a, Node b) const {
    return a.chain == b.chain ? a.place < b.place : firstAfter(a, b.chain) <= b.place;
  }

  // Puts a before b, and appends what that adds to the order. False if b is a, or before it: then
  // nothing has changed.
  bool insert(Node a, Node b, std::vector<Added>& added);

 private:
  struct Step {
    uint32_t from, to;
  };
  class Staircase {
   public:
    uint32_t target(uint32_t from) const;
    uint32_t sources(uint32_t to) const;
    // Returns the first node above `from` that is newly before `to`; kNone if nothing is new.
    uint32_t add(uint32_t from, uint32_t to);
    void clear() { steps_.clear(); }

   private:
    std::vector<Step> steps_;
  };

  const Staircase& steps(uint32_t from, uint32_t to) const { return steps_[size_t{from} * chains_ + to]; }
  void addBelow(Node top, Node b, std::vector<Added>& added);

  uint32_t chains_ = 0;
  std::vector<Staircase> steps_;  // by both chains
};

}  // namespace predrace::m2

#endif  // PREDRACE_ENGINES_M2_ORDER_H
