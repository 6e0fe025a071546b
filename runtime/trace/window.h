// Window: the next 64 bytes of a text, and where in them a character is, without a look at each
// in turn.
#ifndef PREDRACE_TRACE_WINDOW_H
#define PREDRACE_TRACE_WINDOW_H

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace predrace {

class Window {
 public:
  static constexpr size_t kBytes = 64;

  // REQUIRES: kBytes from `text` on can be read.
  [[gnu::always_inline]] explicit Window(const char* text) { std::memcpy(&bytes_, text, kBytes); }
  // One bit for each of them.
  [[gnu::always_inline]] uint64_t all(char c) const {
    Bits found = __builtin_convertvector(bytes_ == c, Bits);
    return __builtin_bit_cast(uint64_t, found);
  }
  // kBytes if there is none.
  [[gnu::always_inline]] size_t first(char c) const { return static_cast<size_t>(std::countr_zero(all(c))); }

 private:
  using Bytes = char __attribute__((ext_vector_type(kBytes)));
  using Bits = bool __attribute__((ext_vector_type(kBytes)));
  Bytes bytes_;
};

}  // namespace predrace

#endif  // PREDRACE_TRACE_WINDOW_H
