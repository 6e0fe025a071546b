#include "runtime/engines/osr_set.h"

#include <algorithm>

namespace predrace {

OsrSet::OsrSet(const RecordedTrace& trace)
    : trace_(trace), before_(trace.none()), cut_(trace.none()), after_(trace.threads()), judged_(trace.threads()), holders_(trace.locks()) {}

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
  trace_.includeBefore(cut_, i);
  std::ranges::fill(judged_, 0);
  for (bool grown = true; grown;) {
    grown = false;
    for (uint32_t t = 0; t < cut_.size(); ++t)
      while (cut_[t] != judged_[t]) grown |= closeSections(t, i);
  }
}

// Adds the ends of the thread's open sections where they may be added. True if the set has grown.
bool OsrSet::closeSections(uint32_t thread, uint32_t i) {
  judged_[thread] = cut_[thread];
  bool grown = false;
  for (uint32_t a : trace_.openAfter(thread, judged_[thread])) {
    uint32_t end = trace_.partner(a);
    if (end != kNone && !trace_.inPast(i, end) && !trace_.inPast(j_, end)) grown |= trace_.include(cut_, end);
  }
  return grown;
}

bool OsrSet::feasible() {
  ++round_;
  for (uint32_t t = 0; t < cut_.size(); ++t) {
    for (uint32_t a : trace_.openAfter(t, cut_[t])) {
      const Event& e = trace_.event(a);
      Holder& h = holders_[e.target];
      bool exclusive = e.op == Op::Acquire;
      if (h.round == round_ && (h.exclusive || exclusive)) return false;
      h = {round_, exclusive};
    }
  }
  return true;
}

std::span<const uint32_t> OsrSet::reversed() {
  reversed_.clear();
  for (uint32_t t = 0; t < cut_.size(); ++t)
    for (uint32_t a : trace_.openAfter(t, cut_[t]))
      if (trace_.takenLater(cut_, a)) reversed_.push_back(a);
  return reversed_;
}

}  // namespace predrace
