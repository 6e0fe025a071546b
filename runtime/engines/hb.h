// HbEngine: happens-before races: every racy event, each with one or more of its partners.
//
// Of the partners it tells those that no later access covers (kept_accesses.h), usually the
// latest. fasttrack does the same at about the same cost, but after a variable's first race
// it may miss some. Also the cross-check of CpEngine's `unordered`. Not thread-safe.
#ifndef PREDRACE_ENGINES_HB_H
#define PREDRACE_ENGINES_HB_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "runtime/engines/engine.h"

namespace predrace {

class HbEngine final : public Engine {
 public:
  explicit HbEngine(RaceSink sink);
  ~HbEngine() override;

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

#endif  // PREDRACE_ENGINES_HB_H
