// Event: one step of a trace, as every engine sees it.
//
// Threads, variables, locks, channels and objects are dense numbers, each family
// counting from 0, so that engines index arrays and never hash. Whoever makes
// the events (the .std reader, the engine process) assigns them.
#ifndef PREDRACE_ENGINES_EVENT_H
#define PREDRACE_ENGINES_EVENT_H

#include <cstdint>

namespace predrace {

enum class Op : uint8_t {
#define PREDRACE_OP(name, text, target, meaning) name,
#include "ops.inc"
};

// What an operation is about.
enum class Family : uint8_t { Variable, Lock, Thread, Channel, Object, None };

constexpr Family familyOf(Op op) {
  constexpr Family kFamilies[] = {
#define PREDRACE_OP(name, text, target, meaning) Family::target,
#include "ops.inc"
  };
  return kFamilies[static_cast<int>(op)];
}

struct Event {
  Op op;
  uint32_t thread;
  uint32_t target;  // number within the op's family; unused for None
  uint32_t site;    // program location, opaque to engines
  uint64_t index;   // position in the trace, strictly growing
};

const char* textOf(Op op);

constexpr bool isAccess(Op op) { return op <= Op::AtomicUpdate; }
constexpr bool isAtomic(Op op) { return op >= Op::AtomicRead && op <= Op::AtomicUpdate; }
constexpr bool writes(Op op) { return isAccess(op) && op != Op::Read && op != Op::AtomicRead; }
constexpr bool reads(Op op) { return isAccess(op) && op != Op::Write && op != Op::AtomicWrite; }

}  // namespace predrace

#endif  // PREDRACE_ENGINES_EVENT_H
