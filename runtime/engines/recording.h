// RecordingEngine: what engines share that decide when they have seen the whole trace.
//
// They are for recorded traces only (Mode::WholeTrace), so nothing is ever forgotten. Not thread-safe.
#ifndef PREDRACE_ENGINES_RECORDING_H
#define PREDRACE_ENGINES_RECORDING_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "runtime/engines/engine.h"
#include "runtime/engines/recorded_trace.h"

namespace predrace {

class RecordingEngine : public Engine {
 public:
  explicit RecordingEngine(RaceSink sink) : sink_(std::move(sink)) {}

  void on(const Event& e) final { events_.push_back(e); }
  void run(std::span<const Event> events) final {
    events_.insert(events_.end(), events.begin(), events.end());
  }
  void finish() final {
    RecordedTrace trace(std::exchange(events_, {}));
    raced_.assign(trace.variables(), false);
    bytes_ = trace.memoryBytes();
    decide(trace);
  }

  void splitVariable(uint32_t, uint32_t) final {}
  void forgetVariable(uint32_t) final {}
  void forgetChannel(uint32_t) final {}
  void forgetLock(uint32_t) final {}
  void forgetObject(uint32_t) final {}
  size_t memoryBytes() const final { return bytes_ + events_.capacity() * sizeof(Event); }
  uint64_t fold(size_t) final { return 0; }

 protected:
  // Reports every race of the trace.
  virtual void decide(const RecordedTrace& trace) = 0;

  void report(const RecordedTrace& trace, uint32_t i, uint32_t j, const Witness& witness) {
    Race race = trace.raceOf(i, j);
    race.firstOnVariable = !raced_[race.variable];
    race.witness = &witness;
    raced_[race.variable] = true;
    sink_(race);
  }

 private:
  RaceSink sink_;
  std::vector<Event> events_;
  std::vector<bool> raced_;  // by variable
  size_t bytes_ = 0;
};

}  // namespace predrace

#endif  // PREDRACE_ENGINES_RECORDING_H
