#include "runtime/engines/event.h"

namespace predrace {

const char* textOf(Op op) {
  static constexpr const char* kText[] = {
#define PREDRACE_OP(name, text, target, meaning) text,
#include "ops.inc"
  };
  return kText[static_cast<int>(op)];
}

}  // namespace predrace
