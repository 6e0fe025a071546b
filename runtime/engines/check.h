// WitnessChecker: does a schedule really bring two accesses together?
//
// It runs the schedule step by step and knows nothing of the engines that made it, nor of
// their data structures. A schedule is accepted if
// - each thread runs its own events, from its first on, without gaps;
// - a thread that was forked starts after its fork; a join comes after all that the thread
//   had done before it; a rcv after every snd that was before it in the trace;
// - every at, and every atomic access, comes after the same ones on its object as in the trace;
// - every read gets the value of the same write as in the trace;
// - nobody enters a section while another thread is in a conflicting one;
// - at its end both accesses are the next events of two threads, allowed by the rules above
//   (whatever they would read), and conflict.
//
// Made once per trace, for many schedules: a check takes time for the steps of its schedule
// only. Not thread-safe.
#ifndef PREDRACE_ENGINES_CHECK_H
#define PREDRACE_ENGINES_CHECK_H

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime/engines/event.h"

namespace predrace {

class WitnessChecker {
 public:
  // REQUIRES: indices grow; the events outlive it.
  explicit WitnessChecker(std::span<const Event> events);

  // Empty if the schedule shows the two events (all given as indices) to race; else why not.
  std::string check(std::span<const uint64_t> schedule, uint64_t first, uint64_t second);

 private:
  static constexpr uint32_t kNone = ~0u;

  // Values that are all `T()` again when the next schedule begins.
  template <class T>
  class PerSchedule {
   public:
    T& at(uint32_t number, uint32_t schedule) {
      if (number >= slots_.size()) slots_.resize(number + 1);
      Slot& s = slots_[number];
      if (s.schedule != schedule) s = {schedule, T()};
      return s.value;
    }

   private:
    struct Slot {
      uint32_t schedule = 0;
      T value{};
    };
    std::vector<Slot> slots_;
  };
  struct Lock {
    uint32_t owner = kNone;         // exclusive
    std::vector<uint32_t> readers;  // threads
  };
  struct Writer {
    uint32_t event = kNone;
  };
  struct Channel {
    uint32_t all = 0;         // its first so many sends are done
    std::vector<bool> later;  // of those after them
  };

  uint32_t find(uint64_t index) const;
  // Why the event cannot be next, or null.
  const char* refuse(uint32_t event);
  const char* refuseSynchronisation(const Event& e, uint32_t event);
  void apply(uint32_t event);

  std::span<const Event> events_;
  std::vector<uint32_t> place_;  // of each event in its thread
  // Of each event: a thread's first: its fork. Join: how much of the thread. Send, at, atomic: how many of
  // the channel, object or variable come before. Receive: how many sends.
  std::vector<uint32_t> needs_;
  std::vector<uint32_t> forks_;   // of each thread, if before its first event
  std::vector<uint32_t> writer_;  // of each event that reads

  uint32_t schedule_ = 0;  // how many were checked
  PerSchedule<uint32_t> places_, kept_, atomics_;
  PerSchedule<Lock> locks_;
  PerSchedule<Writer> writers_;
  PerSchedule<Channel> channels_;
};

}  // namespace predrace

#endif  // PREDRACE_ENGINES_CHECK_H
