// lookAhead: events in their order, each announced a little before its turn, so that what it
// needs is on its way from memory.
#ifndef PREDRACE_ENGINES_LOOK_AHEAD_H
#define PREDRACE_ENGINES_LOOK_AHEAD_H

#include <cstddef>
#include <span>

#include "runtime/engines/event.h"

namespace predrace {

// Far enough for a line to arrive from memory, near enough to be still there.
inline constexpr size_t kLookAhead = 12;

// soon(e) is called for accesses only.
template <class Soon, class On>
void lookAhead(std::span<const Event> events, Soon soon, On on) {
  size_t n = events.size(), i = 0;
  for (; i + kLookAhead < n; ++i) {
    if (const Event& e = events[i + kLookAhead]; isAccess(e.op)) soon(e);
    on(events[i]);
  }
  for (; i < n; ++i) on(events[i]);
}

}  // namespace predrace

#endif  // PREDRACE_ENGINES_LOOK_AHEAD_H
