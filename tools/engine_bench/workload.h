// Workload: made-up traces of the usual shapes, for measuring engines.
//
// `ordinary_64` and `ordinary_100k` are what the engines are compared on: 8 threads, 16 locks
// and so many variables in all. A quarter of the variables are private, equally many of each
// thread's; the others are shared, each guarded by one lock, equally many by each. A thread does
// 0, 1, 2... private accesses (one on average), then a critical section of a random lock that
// is free, with 4 accesses on average to random variables of that lock, and so on; it runs for 1
// to 31 events before a random other thread goes on, in the middle of a section or not. 60% of
// the accesses are reads. One access in 10,000 goes astray: to a random shared variable,
// whatever is held. Variables are chosen evenly, so that 100,000 of them defeat small caches.
// The code of a section is one of 125 functions, whose events have consecutive sites.
//
// The other shapes each stress one thing: see the table in workload.cpp.
//
// The same shape and length give the same trace everywhere.
#ifndef PREDRACE_TOOLS_ENGINE_BENCH_WORKLOAD_H
#define PREDRACE_TOOLS_ENGINE_BENCH_WORKLOAD_H

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string_view>
#include <vector>

#include "runtime/engines/event.h"

namespace predrace {

struct Shape {
  std::string_view name;
  uint32_t threads = 8, locks = 16;
  uint32_t variables = 1024;  // shared ones; variable x is guarded by lock x % locks
  uint32_t privates = 64;     // of each thread, numbered after the shared ones
  uint32_t burst = 3;         // events that a thread may do in a row: 1 to 2 * burst - 1
  double astray = 0;          // of the accesses: to any shared variable
  double outside = 0;         // chance of a private access instead of a new section
  double nested = 0;          // chance of a section inside a section, instead of an access
  double shared = 0;          // sections that are shared ones
  double reads = 0.6;         // of the accesses (in shared sections: all)
  uint32_t length = 4;        // accesses per section, on average
  bool ownLocks = false;      // each thread uses its own locks only
  bool longHeld = false;      // thread 0 holds one more lock all the time, which thread 1 had before
};

std::span<const Shape> shapes();
const Shape* findShape(std::string_view name);  // null: there is none

class Workload {
 public:
  explicit Workload(const Shape& shape);

  // There is always one more.
  Event next();

 private:
  struct Taken {
    uint32_t lock;
    bool shared;
  };
  struct Thread {
    std::vector<Taken> held;
    uint32_t site = 0;
  };

  uint32_t below(uint32_t n) { return static_cast<uint32_t>(random_() % n); }
  bool chance(double p) { return static_cast<double>(random_() >> 11) * 0x1p-53 < p; }

  // Each may refuse, having changed nothing: the lock is not free.
  bool step(Event* e);
  bool take(Event* e);
  void leave(Event* e);
  void access(Event* e);
  void prologue();

  const Shape& shape_;
  std::mt19937_64 random_{7};
  std::vector<Event> first_;  // what comes before everything else
  std::vector<Thread> threads_;
  std::vector<bool> owned_;          // by lock: exclusively
  std::vector<uint32_t> readers_;    // by lock
  uint32_t running_ = 0, left_ = 0;  // the thread, and how many steps more
  uint64_t index_ = 0;
};

}  // namespace predrace

#endif  // PREDRACE_TOOLS_ENGINE_BENCH_WORKLOAD_H
