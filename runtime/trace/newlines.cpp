#include "runtime/trace/newlines.h"

#include <bit>

#include "runtime/trace/each_machine.h"
#include "runtime/trace/window.h"

namespace predrace {

static_assert(Window::kBytes <= kNewlinesOverread);

PREDRACE_EACH_MACHINE size_t findNewlines(const char* text, size_t size, uint32_t* positions) {
  uint32_t* out = positions;
  for (size_t at = 0; at < size; at += Window::kBytes) {
    uint64_t bits = Window(text + at).all('\n');
    if (size - at < Window::kBytes) bits &= (uint64_t{1} << (size - at)) - 1;
    // Eight at a time, wanted or not: how many there are cannot be predicted.
    uint32_t* next = out + std::popcount(bits);
    while (bits) {
      for (int i = 0; i < 8; ++i) {
        out[i] = static_cast<uint32_t>(at) + static_cast<uint32_t>(std::countr_zero(bits));
        bits &= bits - 1;
      }
      out += 8;
    }
    out = next;
  }
  return static_cast<size_t>(out - positions);
}

}  // namespace predrace
