#include "runtime/engines/vindicator.h"

#include <algorithm>
#include <utility>

#include "runtime/engines/syncp_set.h"

namespace predrace {

bool Vindicator::trusted(const std::vector<uint32_t>& schedule) const {
  return !trusted_ ||
         std::ranges::all_of(schedule, [&](uint32_t i) { return trace_.contains(*trusted_, i); });
}

// Trace order, sections ended where others follow.
bool Vindicator::syncPreserving(uint32_t i, uint32_t j, std::vector<uint32_t>* schedule) const {
  Cut cut = trace_.none();
  trace_.includeBefore(cut, i);
  trace_.includeBefore(cut, j);
  if (!closeSyncPreserving(trace_, &cut) || trace_.contains(cut, i) || trace_.contains(cut, j)) return false;
  *schedule = trace_.eventsIn(cut);
  return true;
}

Vindicator::Verdict Vindicator::examine(std::vector<uint32_t> schedule, uint32_t i, uint32_t j) {
  if (!trusted(schedule)) return Verdict::Untrusted;
  std::vector<uint64_t> indices;
  indices.reserve(schedule.size());
  for (uint32_t e : schedule) indices.push_back(trace_.event(e).index);
  if (!checker_.check(indices, trace_.event(i).index, trace_.event(j).index).empty()) {
    ++rejected_;
    return Verdict::Refused;
  }
  schedule_ = std::move(schedule);
  return Verdict::Witnessed;
}

Vindicator::Verdict Vindicator::vindicate(uint32_t i, uint32_t j, const std::function<bool()>& stop) {
  if (trace_.mustPrecede(i, j)) return Verdict::Refused;
  Verdict worst = Verdict::Refused;
  std::vector<uint32_t> schedule;
  for (int step = 0; step < 3; ++step) {
    if (stop()) return Verdict::Undecided;
    if (step == 0) {
      if (!osr_.race(i, j)) continue;
      schedule = osr_.schedule();
    } else if (step == 1) {
      if (!syncPreserving(i, j, &schedule)) continue;
    } else {
      if (!m2_) m2_.emplace(trace_);
      if (!m2_->decide(i, j).race) continue;
      schedule = m2_->schedule();
    }
    Verdict verdict = examine(std::move(schedule), i, j);
    if (verdict == Verdict::Witnessed) return verdict;
    if (verdict == Verdict::Untrusted) worst = verdict;
  }
  return worst;
}

}  // namespace predrace
