// Meter: what a stretch of this process's work costs.
#ifndef PREDRACE_TOOLS_ENGINE_BENCH_METER_H
#define PREDRACE_TOOLS_ENGINE_BENCH_METER_H

#include <cstdint>

namespace predrace {

// CPU time of the process and user-mode instructions of the thread, between start() and
// stop(), summed over all such stretches. Machines that do not let us count instructions
// give 0. Not thread-safe.
class Meter {
 public:
  Meter();
  ~Meter();
  Meter(const Meter&) = delete;
  Meter& operator=(const Meter&) = delete;

  void start();
  void stop();
  uint64_t nanoseconds() const { return nanoseconds_; }
  uint64_t instructions() const;

 private:
  int counter_;  // negative: none
  uint64_t begun_ = 0, nanoseconds_ = 0;
};

// Memory of this process that is, or at most was, in RAM.
uint64_t residentBytes();
uint64_t peakResidentBytes();

}  // namespace predrace

#endif  // PREDRACE_TOOLS_ENGINE_BENCH_METER_H
