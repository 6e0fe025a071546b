#include "runtime/engines/osr_set.h"

#include <algorithm>

namespace predrace {

OsrSet::OsrSet(const RecordedTrace& trace)
    : trace_(trace),
      before_(trace.none()),
      cut_(trace.none()),
      after_(trace.threads()),
      judged_(trace.threads()),
      holders_(trace.locks()) {}

void OsrSet::start(uint32_t j) {
  j_ = j;
  std::ranges::fill(before_, 0);
  trace_.includeBefore(before_, j);
  cut_ = before_;
  for (uint32_t t = 0; t < before_.size(); ++t) {
    std::span<const uint32_t> events = trace_.eventsOf(t);
    after_[t] = before_[t] < events.size() ? events[before_[t]] : trace_.size();
  }
}

void OsrSet::extend(uint32_t i) {
  i_ = i;
  trace_.includeBefore(cut_, i);
  std::ranges::fill(judged_, 0);
  for (bool grown = true; grown;) {
    grown = false;
    for (uint32_t t = 0; t < cut_.size(); ++t)
      while (cut_[t] != judged_[t]) grown |= closeSections(t);
  }
}

// Adds the ends of the thread's open sections where they may be added. True if the set has grown.
bool OsrSet::closeSections(uint32_t thread) {
  judged_[thread] = cut_[thread];
  bool grown = false;
  for (uint32_t a : trace_.openAfter(thread, judged_[thread])) {
    uint32_t end = trace_.partner(a);
    if (end != kNone && !trace_.inPast(i_, end) && !trace_.inPast(j_, end))
      grown |= trace_.include(cut_, end);
  }
  return grown;
}

// Its section is open whatever later access of i's thread, under the same locks, takes the place of i.
bool OsrSet::staysOpen(uint32_t acquire) const {
  uint32_t end = trace_.partner(acquire);
  return end == kNone || trace_.inPast(j_, end) || trace_.event(acquire).thread == trace_.event(i_).thread;
}

OsrSet::Fit OsrSet::fit() {
  ++round_;
  Fit fit = Fit::Yes;
  for (uint32_t t = 0; t < cut_.size(); ++t) {
    for (uint32_t a : trace_.openAfter(t, cut_[t])) {
      const Event& e = trace_.event(a);
      bool exclusive = e.op == Op::Acquire, forGood = staysOpen(a);
      Holders& h = holders_[e.target];
      if (h.round != round_) h = {.round = round_};
      if (forGood && (exclusive ? h.anyForGood : h.exclusiveForGood)) return Fit::Never;
      if (exclusive ? h.any : h.exclusive) fit = Fit::No;
      h.any = true;
      h.exclusive |= exclusive;
      h.anyForGood |= forGood;
      h.exclusiveForGood |= exclusive && forGood;
    }
  }
  return fit;
}

std::span<const uint32_t> OsrSet::reversed() {
  reversed_.clear();
  for (uint32_t t = 0; t < cut_.size(); ++t)
    for (uint32_t a : trace_.openAfter(t, cut_[t]))
      if (trace_.takenLater(cut_, a)) reversed_.push_back(a);
  return reversed_;
}

}  // namespace predrace
