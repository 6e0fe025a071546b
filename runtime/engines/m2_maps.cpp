#include "runtime/engines/m2_maps.h"

namespace predrace::m2 {

AccessTable::AccessTable(const RecordedTrace& trace, bool (*chosen)(Op)) : runsBegin_(trace.variables() + 1) {
  std::vector<uint32_t> next(trace.variables() + 1);  // where the variable's next access goes
  for (uint32_t i = 0; i < trace.size(); ++i)
    if (const Event& e = trace.event(i); chosen(e.op)) ++next[e.target + 1];
  for (uint32_t x = 0; x < trace.variables(); ++x) next[x + 1] += next[x];
  ids_.resize(next.back());
  for (uint32_t t = 0; t < trace.threads(); ++t)
    for (uint32_t i : trace.eventsOf(t))
      if (const Event& e = trace.event(i); chosen(e.op)) ids_[next[e.target]++] = i;
  // By now next[x] is the end of x.
  uint32_t k = 0;
  for (uint32_t x = 0; x < trace.variables(); ++x) {
    runsBegin_[x] = static_cast<uint32_t>(runs_.size());
    for (uint32_t begin = k; k < next[x]; ++k) {
      uint32_t thread = trace.event(ids_[k]).thread;
      if (k == begin || runs_.back().thread != thread) runs_.push_back({thread, k, k});
      runs_.back().end = k + 1;
    }
  }
  runsBegin_.back() = static_cast<uint32_t>(runs_.size());
}

std::span<const uint32_t> AccessTable::ids(uint32_t variable, uint32_t thread) const {
  std::span<const Run> all = runs(variable);
  auto found = std::ranges::lower_bound(all, thread, {}, &Run::thread);
  return found != all.end() && found->thread == thread ? ids(*found) : std::span<const uint32_t>();
}

Maps::Maps(const RecordedTrace& trace)
    : trace_(trace),
      writes_(trace, predrace::writes),
      reads_(trace, predrace::reads),
      nextSame_(trace.size(), kNone),
      nextWrite_(trace.size(), kNone) {
  auto chain = [&](std::span<const uint32_t> ids) {
    for (size_t k = 1; k < ids.size(); ++k) nextSame_[ids[k - 1]] = ids[k];
  };
  for (uint32_t x = 0; x < trace.variables(); ++x)
    for (const AccessTable::Run& run : writes_.runs(x)) chain(writes_.ids(run));
  for (uint32_t l = 0; l < trace.locks(); ++l) {
    for (const RecordedTrace::Use& use : trace.usesOf(l)) {
      chain(use.exclusive);
      chain(use.shared);
    }
  }
  std::vector<uint32_t> last(trace.variables(), kNone);
  for (uint32_t i = 0; i < trace.size(); ++i) {
    const Event& e = trace.event(i);
    if (!predrace::writes(e.op)) continue;
    if (last[e.target] != kNone) nextWrite_[last[e.target]] = i;
    last[e.target] = i;
  }
}

std::span<const uint32_t> Maps::acquires(uint32_t lock, uint32_t thread, bool shared) const {
  for (const RecordedTrace::Use& use : trace_.usesOf(lock))
    if (use.thread == thread) return shared ? use.shared : use.exclusive;
  return {};
}

uint32_t Maps::releaseFrom(uint32_t lock, uint32_t thread, bool shared, uint32_t id) const {
  std::span<const uint32_t> all = acquires(lock, thread, shared);
  auto next = std::ranges::lower_bound(all, id);
  // The section before that may have begun above `id` and end below it.
  if (next != all.begin()) {
    uint32_t release = trace_.partner(*(next - 1));
    if (release == kNone || release >= id) return release;
  }
  return next == all.end() ? kNone : trace_.partner(*next);
}

}  // namespace predrace::m2
