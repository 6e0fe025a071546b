// WindowTrace: a window of a log, made ready for engines that reorder: a RecordedTrace of it is exact
// about everything that matters to a race in it.
//
// What was before the window has happened, in every schedule: its writes are what reads in the window
// find if nobody writes before, its sends are sent, its locks are held. Locks that are held when
// the window begins are taken by events that are put in front, and hard order keeps
// them there.
//
// Left out is what no reordering can tell from another one: accesses of variables that one thread alone
// touches in the window, or that nobody writes; operations on channels and objects of one thread
// alone. All numbers are dense; a number that had several lives has become several, a variable
// that was split its parts.
//
// Immutable once built; thread-compatible.
#ifndef PREDRACE_ENGINES_WINDOW_TRACE_H
#define PREDRACE_ENGINES_WINDOW_TRACE_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/engines/event_log.h"

namespace predrace {

class WindowTrace {
 public:
  // If `skipIfSafe` and no variable can race in any schedule, there are no events.
  explicit WindowTrace(const LogWindow& window, bool skipIfSafe = true);

  uint32_t size() const { return static_cast<uint32_t>(events_.size()); }
  // The place of the first one from which on a RecordedTrace takes no more than so many bytes.
  uint32_t affordable(size_t bytes) const;
  // Was there anything before the window?
  bool hasPast() const { return hasPast_; }
  // The events from that place on, behind what holds the locks that are held there.
  std::vector<Event> from(uint32_t place) const;
  // A data race that the log tells of.
  struct Racing {
    std::optional<uint32_t> first;  // place; nullopt: before the window
    uint32_t second;                // place
  };
  const std::vector<Racing>& racing() const { return racing_; }

  // The index that the log knows of an event made here, by its Event::index; nullopt if it was put in front.
  static std::optional<uint64_t> originOf(uint64_t index) {
    if (index < kFirst) return std::nullopt;
    return (index - kFirst) / kPieces;
  }
  // The Event::index of the first and past the last event made of the log's.
  static uint64_t beginOf(uint64_t origin) { return kFirst + origin * kPieces; }
  static uint64_t endOf(uint64_t origin) { return beginOf(origin + 1); }
  // The places, in size(), of the events made of the log's: first and past the last.
  std::pair<uint32_t, uint32_t> placesOf(uint64_t origin) const;

  // The numbers that the log knows.
  uint32_t threadOf(uint32_t thread) const { return threads_[thread]; }
  uint32_t variableOf(uint32_t variable) const { return variables_[variable]; }
  uint32_t lockOf(uint32_t lock) const { return locks_[lock]; }

 private:
  static constexpr uint64_t kPieces = 64;      // of one variable, at most: it has so many bytes
  static constexpr uint64_t kFirst = 1 << 26;  // room for those put in front
  class Builder;

  std::vector<Event> events_;
  std::vector<HeldLock> held_;  // at the beginning, dense numbers
  std::vector<Racing> racing_;
  std::vector<uint32_t> threads_, variables_, locks_;
  uint32_t channels_ = 0;
  bool hasPast_ = false;
};

}  // namespace predrace

#endif  // PREDRACE_ENGINES_WINDOW_TRACE_H
