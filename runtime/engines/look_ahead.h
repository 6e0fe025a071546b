// lookAhead: events in their order, each announced a little before its turn, so that what it
// needs is on its way from memory.
#ifndef PREDRACE_ENGINES_LOOK_AHEAD_H
#define PREDRACE_ENGINES_LOOK_AHEAD_H

#include <algorithm>
#include <cstddef>
#include <span>

#include "runtime/engines/event.h"

namespace predrace {

// Far enough for a line to arrive from memory, near enough to be still there.
inline constexpr size_t kLookAhead = 12;
// Half-way: what soon() fetched is here, and may tell what else is needed.
inline constexpr size_t kLookHalf = 6;

// Both soon(e) and half(e) are called for other events than accesses too: asking would cost more
// than a useless prefetch.
template <class Soon, class Half, class On>
void lookAhead(std::span<const Event> events, Soon soon, Half half, On on) {
  size_t n = events.size(), i = 0;
  for (const Event& e : events.first(std::min(n, kLookAhead))) soon(e);
  for (; i + kLookAhead < n; ++i) {
    soon(events[i + kLookAhead]);
    half(events[i + kLookHalf]);
    on(events[i]);
  }
  for (; i < n; ++i) on(events[i]);
}
template <class Soon, class On>
void lookAhead(std::span<const Event> events, Soon soon, On on) {
  lookAhead(events, soon, [](const Event&) {}, on);
}

}  // namespace predrace

#endif  // PREDRACE_ENGINES_LOOK_AHEAD_H
