// Candidates: the earlier accesses that an access can possibly race with.
//
// Two accesses that hold conflicting sections of one lock are never next to each other, so
// accesses are grouped by variable, thread, kind and locks held; whole groups are passed
// over. Most variables need no groups: one thread's own, those nobody writes, and those
// with a lock that all hold, writers not shared. A first pass over the trace finds them.
// Not thread-safe.
#ifndef PREDRACE_ENGINES_CANDIDATES_H
#define PREDRACE_ENGINES_CANDIDATES_H

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/engines/cp_variables.h"
#include "runtime/engines/recorded_trace.h"

namespace predrace {

class Candidates {
 public:
  struct Group {
    static constexpr size_t kSites = 8;

    uint32_t number;  // dense, over all variables
    uint32_t thread;
    cp::Kind kind;
    std::vector<uint32_t> accesses;  // ids, growing
    std::vector<uint32_t> sites;     // of them, each once; more than kSites: there may be others
  };

  // REQUIRES: the trace outlives it.
  explicit Candidates(const RecordedTrace& trace);

  // Can the variable of this access have a race at all?
  bool contested(uint32_t j) const { return number_[trace_.event(j).target] != kNone; }

  // Calls f(group) for each group of earlier accesses by another thread that conflict with
  // access j and have no lock in common with it, until f says true. REQUIRES: contested(j).
  template <class F>
  void against(uint32_t j, F f) const {
    const Event& e = trace_.event(j);
    uint32_t mine = trace_.locksetAt(j);
    uint8_t conflicts = cp::kConflicts[cp::kindOf(e.op)];
    for (const SameLocks& same : contested_[number_[e.target]]) {
      if (!(same.kinds & conflicts) || !disjoint(same.lockset, mine)) continue;
      for (const Group& g : same.groups)
        if (g.thread != e.thread && (conflicts & cp::bit(g.kind)) && f(g)) return;
    }
  }
  // Access j joins its group, whose number is returned. To be called in the order of the trace.
  // REQUIRES: contested(j).
  uint32_t add(uint32_t j);

  uint32_t groups() const { return groups_; }

 private:
  struct SameLocks {
    uint32_t lockset;
    uint8_t kinds;  // in its groups, as bits
    std::vector<Group> groups;
  };

  bool disjoint(uint32_t a, uint32_t b) const;
  static void join(Group& g, uint32_t j, uint32_t site);

  const RecordedTrace& trace_;
  std::vector<uint32_t> number_;  // of each variable in contested_, or kNone
  std::vector<std::vector<SameLocks>> contested_;
  uint32_t groups_ = 0;
};

}  // namespace predrace

#endif  // PREDRACE_ENGINES_CANDIDATES_H
