// EraserEngine: variables that no lock protects at every access (Savage et al., TOCS 1997).
//
// A variable's candidates are the locks that were held at all of its accesses so far; a shared
// section protects reads only. While one thread alone has accessed it, or nobody has written
// it, having none is no violation. Departures from the paper: candidates count from the
// first access on, whoever made it, and a variable is reported at most once.
//
// A report's second access is the one at which the last candidate went, or the last excuse; its
// first is the latest of another thread. It does not tell whether happens-before orders the two:
// `unordered` is false. Not thread-safe.
#ifndef PREDRACE_ENGINES_ERASER_H
#define PREDRACE_ENGINES_ERASER_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "runtime/engines/engine.h"

namespace predrace {

class EraserEngine final : public Engine {
 public:
  explicit EraserEngine(RaceSink sink);
  ~EraserEngine() override;

  void on(const Event& e) override;
  void run(std::span<const Event> events) override;
  void finish() override {}
  void splitVariable(uint32_t from, uint32_t to) override;
  void forgetVariable(uint32_t variable) override;
  void forgetChannel(uint32_t) override {}
  void forgetLock(uint32_t lock) override;
  void forgetObject(uint32_t) override {}
  size_t memoryBytes() const override;
  uint64_t fold(size_t targetBytes) override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace predrace

#endif  // PREDRACE_ENGINES_ERASER_H
