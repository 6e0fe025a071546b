#include "runtime/engines/osr.h"

#include <algorithm>
#include <vector>

#include "runtime/engines/candidates.h"
#include "runtime/engines/osr_graph.h"
#include "runtime/engines/osr_set.h"

namespace predrace {
namespace {

// Finds an earlier access that an access races with.
class Finder final : public Witness {
 public:
  explicit Finder(const RecordedTrace& trace)
      : trace_(trace), set_(trace), graph_(trace), candidates_(trace) {}

  // The earlier access, or kNone. To be called for all accesses, in the order of the trace.
  uint32_t racesWith(uint32_t j) {
    if (!candidates_.contested(j)) return kNone;
    uint32_t found = kNone;
    bool started = false;
    candidates_.against(j, [&](const Candidates::Group& g) {
      if (!started) set_.start(j);
      started = true;
      found = among(g);
      return found != kNone;
    });
    candidates_.add(j);
    return found;
  }

  // Of the race found last.
  std::vector<uint64_t> schedule() const override {
    std::vector<uint64_t> out;
    for (uint32_t i : graph_.order(set_.cut(), set_.reversed())) out.push_back(trace_.event(i).index);
    return out;
  }

 private:
  // From the earliest access on, so that one set only grows.
  uint32_t among(const Candidates::Group& group) {
    auto ordered = [&](uint32_t i) { return set_.mustPrecede(group.thread, i); };
    if (ordered(group.accesses.back())) return kNone;
    set_.restart();
    for (auto i = std::ranges::partition_point(group.accesses, ordered); i != group.accesses.end(); ++i) {
      set_.extend(*i);
      OsrSet::Fit fit = set_.fit();
      if (fit == OsrSet::Fit::Never) break;
      if (fit == OsrSet::Fit::Yes && graph_.acyclic(set_.cut(), set_.reversed())) return *i;
    }
    return kNone;
  }

  const RecordedTrace& trace_;
  mutable OsrSet set_;  // mutable, as the graph: their answers are kept in place
  mutable OsrGraph graph_;
  Candidates candidates_;
};

}  // namespace

void OsrEngine::decide(const RecordedTrace& trace) {
  Finder finder(trace);
  for (uint32_t j = 0; j < trace.size(); ++j) {
    if (!isAccess(trace.event(j).op)) continue;
    if (uint32_t i = finder.racesWith(j); i != kNone) report(trace, i, j, finder);
  }
}

}  // namespace predrace
