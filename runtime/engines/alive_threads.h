// AliveThreads: which threads there are, so that one can be known to be alone: all others have been waited
// for, or are not made yet. What it does then is ordered against everything else.
//
// Not thread-safe.
#ifndef PREDRACE_ENGINES_ALIVE_THREADS_H
#define PREDRACE_ENGINES_ALIVE_THREADS_H

#include <cstdint>
#include <vector>

namespace predrace {

class AliveThreads {
 public:
  // The thread has an event. Is it the only one?
  bool isAlone(uint32_t thread) {
    if (thread >= states_.size() || states_[thread] != kAlive) [[unlikely]]
      appear(thread);
    answered_ |= count_ == 1;
    return count_ == 1;
  }
  void fork(uint32_t thread) {
    State& s = stateOf(thread);
    if (s == kUnknown) ++count_, s = kAlive;
  }
  void join(uint32_t thread) {
    State& s = stateOf(thread);
    if (s == kAlive) --count_;
    s = kGone;
  }
  // A thread came that nobody had made, so it was there before: some answer was wrong.
  bool wasWrong() const { return wrong_; }

 private:
  enum State : uint8_t { kUnknown, kAlive, kGone };

  State& stateOf(uint32_t thread) {
    if (thread >= states_.size()) states_.resize(thread + thread / 2 + 1);
    return states_[thread];
  }
  void appear(uint32_t thread) {
    wrong_ |= answered_;
    State& s = stateOf(thread);
    if (s != kAlive) ++count_;
    s = kAlive;
  }

  std::vector<State> states_;
  uint32_t count_ = 0;
  bool answered_ = false, wrong_ = false;
};

}  // namespace predrace

#endif  // PREDRACE_ENGINES_ALIVE_THREADS_H
