// Emitter: numbers events and hands them to the engine.
#ifndef PREDRACE_TOOLS_ENGINE_EMITTER_H
#define PREDRACE_TOOLS_ENGINE_EMITTER_H

#include <cstdint>

#include "runtime/engines/engine.h"

namespace predrace {

class Emitter {
 public:
  explicit Emitter(Engine& engine) : engine_(engine) {}

  void emit(Op op, uint32_t thread, uint32_t target, uint32_t site) {
    engine_.on(Event{op, thread, target, site, index_++});
  }
  // Index of the next event, which is also the number of events so far.
  uint64_t index() const { return index_; }
  Engine& engine() { return engine_; }

 private:
  Engine& engine_;
  uint64_t index_ = 0;
};

}  // namespace predrace

#endif  // PREDRACE_TOOLS_ENGINE_EMITTER_H
