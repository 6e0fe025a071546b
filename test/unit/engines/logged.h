// Logs and windows for tests.
#ifndef PREDRACE_TEST_UNIT_ENGINES_LOGGED_H
#define PREDRACE_TEST_UNIT_ENGINES_LOGGED_H

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/engines/event_log.h"
#include "test/unit/engines/traces.h"

namespace predrace {

inline void logAll(EventLog& log, std::span<const Event> events) {
  for (const Event& e : events) log.on(e);
}

inline LogWindow windowOf(std::span<const Event> events) {
  EventLog log;
  logAll(log, events);
  return log.window();
}
inline LogWindow windowOf(std::string_view text) { return windowOf(written(text).events); }

// The events, and the window that begins at the cut-th of them. One index is missing there: logs are
// only cut between chunks, and a gap begins one.
struct CutTrace {
  std::vector<Event> events;
  LogWindow window;
};
inline CutTrace cutAt(std::vector<Event> events, size_t cut) {
  for (size_t k = cut; k < events.size(); ++k) ++events[k].index;
  EventLog log;
  logAll(log, events);
  log.keepLast(events.size() - cut);
  return {std::move(events), log.window()};
}
inline CutTrace cutAt(std::string_view text, size_t cut) { return cutAt(written(text).events, cut); }

}  // namespace predrace

#endif  // PREDRACE_TEST_UNIT_ENGINES_LOGGED_H
