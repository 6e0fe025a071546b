// ShbEngine: schedulable happens-before races (Mathur, Kini & Viswanathan, OOPSLA 2018).
//
// The order is happens-before and, beyond it, reads-from and the kept order of at(o) and of the
// atomic accesses of one variable. An access is compared before its own reads-from counts:
// then each pair can be brought next to each other by a schedule of the same events, not
// only the first pair. Which partners are told: see kept_accesses.h. Not thread-safe.
#ifndef PREDRACE_ENGINES_SHB_H
#define PREDRACE_ENGINES_SHB_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "runtime/engines/engine.h"

namespace predrace {

class ShbEngine final : public Engine {
 public:
  explicit ShbEngine(RaceSink sink);
  ~ShbEngine() override;

  void on(const Event& e) override;
  void run(std::span<const Event> events) override;
  void finish() override {}
  void splitVariable(uint32_t from, uint32_t to) override;
  void forgetVariable(uint32_t variable) override;
  void forgetChannel(uint32_t channel) override;
  void forgetLock(uint32_t lock) override;
  void forgetObject(uint32_t object) override;
  size_t memoryBytes() const override;
  uint64_t fold(size_t targetBytes) override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace predrace

#endif  // PREDRACE_ENGINES_SHB_H
