// Vindicator: is there a schedule that brings two accesses together?
//
// OSR is asked first, because it is exact for the reorderings it knows and cheap; then SyncP, whose sets
// are other ones; then M2, which also swaps closed sections. Whatever they say, the checker decides:
// only a schedule that it accepts is a witness.
//
// Where the order of plain accesses in the trace is not certain (a live run tells them without
// any stamp), the values that racing accesses saw are not known either, nor what their threads would
// have done next had they seen others. A schedule then must not have any of them: see trustUpTo().
//
// Not thread-safe.
#ifndef PREDRACE_ENGINES_VINDICATOR_H
#define PREDRACE_ENGINES_VINDICATOR_H

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runtime/engines/check.h"
#include "runtime/engines/m2_decision.h"
#include "runtime/engines/osr_search.h"
#include "runtime/engines/recorded_trace.h"

namespace predrace {

class Vindicator {
 public:
  // REQUIRES: both outlive it; the search is about the trace.
  Vindicator(const RecordedTrace& trace, OsrSearch& osr)
      : trace_(trace), checker_(trace.events()), osr_(osr) {}

  // Schedules have no more of each thread than this cut.
  void trustUpTo(Cut trusted) { trusted_ = std::move(trusted); }

  enum class Verdict : uint8_t {
    Witnessed,  // schedule() shows it
    Refused,    // nobody found a schedule
    Untrusted,  // there are schedules, but not within the trusted cut
    Undecided,  // stop() said so
  };
  // REQUIRES: i < j conflict. `stop` is asked between the steps.
  Verdict vindicate(uint32_t i, uint32_t j, const std::function<bool()>& stop);
  // A schedule from elsewhere: the same verdict on it.
  Verdict examine(std::vector<uint32_t> schedule, uint32_t i, uint32_t j);

  // Of the last pair, if witnessed: the ids of the events to run, in their order.
  const std::vector<uint32_t>& schedule() const { return schedule_; }
  // How many schedules the checker has not accepted: each is a fault of the engine that made it.
  uint64_t rejected() const { return rejected_; }

 private:
  bool trusted(const std::vector<uint32_t>& schedule) const;
  bool syncPreserving(uint32_t i, uint32_t j, std::vector<uint32_t>* schedule) const;

  const RecordedTrace& trace_;
  WitnessChecker checker_;
  OsrSearch& osr_;
  std::optional<m2::Decision> m2_;  // made when first needed
  std::optional<Cut> trusted_;
  std::vector<uint32_t> schedule_;
  uint64_t rejected_ = 0;
};

}  // namespace predrace

#endif  // PREDRACE_ENGINES_VINDICATOR_H
