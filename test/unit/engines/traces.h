// Traces for the tests of engines: written down, and random.
#ifndef PREDRACE_TEST_UNIT_ENGINES_TRACES_H
#define PREDRACE_TEST_UNIT_ENGINES_TRACES_H

#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/engines/cp.h"

namespace predrace {

// "T1:w(x) T1:acq(m) ..." as events and as names. Aborts on a malformed one.
struct Written {
  std::vector<Event> events;
  std::vector<std::string> variables, locks;
};
Written written(std::string_view text);

using Pair = std::pair<uint64_t, uint64_t>;
std::set<Pair> pairsOf(const std::vector<Race>& races);
std::set<uint64_t> secondsOf(const std::vector<Race>& races);

// What the engine says about these events, in its order.
std::vector<Race> racesOf(const std::vector<Event>& events, CpOptions options = {});
std::vector<Race> racesOf(std::string_view text, CpOptions options = {});

// Makes well-formed events one after the other; all operations but fork and join.
class RandomEvents {
 public:
  struct Shape {
    uint32_t threads = 4, locks = 3, variables = 3, depth = 3;
    double accesses = 0.5, extras = 0.1, shared = 0.2;
    bool nested = true;  // releases in the opposite order of acquires
  };
  RandomEvents(uint64_t seed, Shape shape);

  Event next();
  bool held(uint32_t lock) const { return exclusive_[lock] || shared_[lock]; }
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(random_() % n); }
  bool chance(double p) { return static_cast<double>(random_() >> 11) * 0x1p-53 < p; }

 private:
  struct Taken {
    uint32_t lock;
    bool shared;
  };
  Shape shape_;
  std::mt19937_64 random_;
  std::vector<std::vector<Taken>> taken_;  // by thread
  std::vector<uint32_t> exclusive_, shared_;
  uint64_t index_ = 0;
};

}  // namespace predrace

#endif  // PREDRACE_TEST_UNIT_ENGINES_TRACES_H
