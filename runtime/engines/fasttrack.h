// FastTrackEngine: happens-before races with epochs (Flanagan & Freund, PLDI 2009).
//
// Of a variable it keeps the last write, and the last read or, while reads are concurrent,
// the last read of each lane. That finds every racy variable and the first race of each
// exactly; after it, a write that a later one has hidden is no longer seen.
//
// Departures from the paper: an access in the epoch of the one before is no case of its own
// (that costs more than it saves); what a report needs is kept with the epoch; and atomic
// accesses, which never race with one another and so are not in one order, are kept per
// lane and apart from the plain ones. Not thread-safe.
#ifndef PREDRACE_ENGINES_FASTTRACK_H
#define PREDRACE_ENGINES_FASTTRACK_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "runtime/engines/engine.h"

namespace predrace {

class FastTrackEngine final : public Engine {
 public:
  explicit FastTrackEngine(RaceSink sink);
  ~FastTrackEngine() override;

  void on(const Event& e) override;
  void run(std::span<const Event> events) override;
  void finish() override {}
  void splitVariable(uint32_t from, uint32_t to) override;
  void forgetVariable(uint32_t variable) override;
  void forgetChannel(uint32_t channel) override;
  void forgetLock(uint32_t lock) override;
  void forgetObject(uint32_t) override {}
  size_t memoryBytes() const override;
  uint64_t fold(size_t targetBytes) override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace predrace

#endif  // PREDRACE_ENGINES_FASTTRACK_H
