#include "runtime/engines/syncp.h"

#include <algorithm>

#include "absl/container/flat_hash_map.h"
#include "runtime/engines/candidates.h"
#include "runtime/engines/syncp_set.h"

namespace predrace {
namespace {

class TraceOrder final : public Witness {
 public:
  TraceOrder(const RecordedTrace& trace, const Cut& cut) : trace_(trace), cut_(cut) {}

  std::vector<uint64_t> schedule() const override {
    std::vector<uint64_t> out;
    for (uint32_t i : trace_.eventsIn(cut_)) out.push_back(trace_.event(i).index);
    return out;
  }

 private:
  const RecordedTrace& trace_;
  const Cut& cut_;
};

// How far two groups have come.
struct Progress {
  uint32_t next = 0;  // the earlier group's accesses before this one are ordered
  Cut cut;
  bool impossible = false;  // no closed cut is large enough
};

class Decision {
 public:
  explicit Decision(const RecordedTrace& trace) : trace_(trace), candidates_(trace) {}

  // Calls report(i, witness) if access j races with an earlier one, i; then j is an earlier one itself.
  template <class Report>
  void next(uint32_t j, Report report) {
    if (!candidates_.contested(j)) return;
    uint64_t mine = uint64_t{candidates_.add(j)} << 32;
    candidates_.against(j, [&](const Candidates::Group& group) {
      Progress& p = progress_[mine | group.number];
      if (!race(p, group, j)) return false;
      report(group.accesses[p.next], TraceOrder(trace_, p.cut));
      return true;
    });
  }

 private:
  bool race(Progress& p, const Candidates::Group& group, uint32_t j) {
    if (p.cut.empty()) p.cut = trace_.none();
    trace_.includeBefore(p.cut, j);
    skipOrdered(p, group);
    while (!p.impossible && p.next < group.accesses.size()) {
      uint32_t i = group.accesses[p.next];
      trace_.includeBefore(p.cut, i);
      p.impossible = !closeSyncPreserving(trace_, &p.cut);
      if (p.impossible || trace_.contains(p.cut, j)) return false;
      if (!trace_.contains(p.cut, i)) return true;
      skipOrdered(p, group);
    }
    return false;
  }

  void skipOrdered(Progress& p, const Candidates::Group& group) {
    auto from = group.accesses.begin() + p.next;
    auto found = std::partition_point(from, group.accesses.end(),
                                      [&](uint32_t i) { return trace_.contains(p.cut, i); });
    p.next += static_cast<uint32_t>(found - from);
  }

  const RecordedTrace& trace_;
  Candidates candidates_;
  absl::flat_hash_map<uint64_t, Progress> progress_;  // by both groups, the later access's first
};

}  // namespace

void SyncPEngine::decide(const RecordedTrace& trace) {
  Decision decision(trace);
  for (uint32_t j = 0; j < trace.size(); ++j)
    if (isAccess(trace.event(j).op))
      decision.next(j, [&](uint32_t i, const Witness& witness) { report(trace, i, j, witness); });
}

}  // namespace predrace
