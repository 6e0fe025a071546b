// HbEngine: happens-before races, plainly: one vector clock per thread, lock and channel.
//
// Small on purpose: it is the cross-check of CpEngine's `unordered`, and what
// `--engine=hb` runs. Every access is compared with the last one of each other thread
// and kind. Not thread-safe.
#ifndef PREDRACE_ENGINES_HB_H
#define PREDRACE_ENGINES_HB_H

#include <cstddef>
#include <cstdint>
#include <memory>

#include "runtime/engines/engine.h"

namespace predrace {

class HbEngine final : public Engine {
 public:
  explicit HbEngine(RaceSink sink);
  ~HbEngine() override;

  void on(const Event& e) override;
  void finish() override {}
  void splitVariable(uint32_t from, uint32_t to) override;
  void forgetVariable(uint32_t variable) override;
  void forgetChannel(uint32_t channel) override;
  void forgetLock(uint32_t lock) override;
  void forgetObject(uint32_t) override {}
  size_t memoryBytes() const override;
  uint64_t fold(size_t) override { return 0; }

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace predrace

#endif  // PREDRACE_ENGINES_HB_H
