#include "runtime/trace/delimiters.h"

#include <bit>
#include <cstring>

#include "runtime/trace/each_machine.h"

namespace predrace {
namespace {

constexpr size_t kStep = 64;
using Bytes = uint8_t __attribute__((ext_vector_type(kStep)));
using Bits = bool __attribute__((ext_vector_type(kStep)));
static_assert(kStep <= kDelimitersOverread);

}  // namespace

PREDRACE_EACH_MACHINE size_t findDelimiters(const char* text, size_t size, uint32_t* positions) {
  static_assert(('(' | 1) == ')');
  uint32_t* out = positions;
  for (size_t at = 0; at < size; at += kStep) {
    Bytes v;
    std::memcpy(&v, text + at, sizeof v);
    Bits found = __builtin_convertvector((v == '|') | (v == '\n') | ((v | 1) == ')'), Bits);
    uint64_t bits = __builtin_bit_cast(uint64_t, found);
    if (size - at < kStep) bits &= (uint64_t{1} << (size - at)) - 1;
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
