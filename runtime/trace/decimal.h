// Decimal numbers of up to eight digits, from a word of text: no loop and no branch, so that a
// compiler makes several at once of an array of them.
#ifndef PREDRACE_TRACE_DECIMAL_H
#define PREDRACE_TRACE_DECIMAL_H

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace predrace {

constexpr uint32_t kNotDecimal = ~0u;

// The number that the first `length` bytes of the word write as std::to_string() does; of all
// other texts, also those with a zero in front, kNotDecimal.
[[gnu::always_inline]] constexpr uint32_t decimal(uint64_t word, uint64_t length) {
  static_assert(std::endian::native == std::endian::little);
  uint64_t v = word ^ 0x3030303030303030;
  bool canonical = ((v & 0xff) != 0) | (length == 1);
  v <<= (64 - 8 * length) & 63;  // zeros in front
  bool digits = (((v + 0x7676767676767676) | v) & 0x8080808080808080) == 0;
  v = (v * 10 + (v >> 8)) & 0x00ff00ff00ff00ff;
  v = (v * 100 + (v >> 16)) & 0x0000ffff0000ffff;
  v = (v & 0xffffffff) * 10000 + (v >> 32);
  return (canonical & digits & (length - 1 < 8)) ? static_cast<uint32_t>(v) : kNotDecimal;
}

// Several, to be parsed together.
template <size_t kCount>
class Decimals {
 public:
  // How far beyond the begin of a text set() reads.
  static constexpr size_t kOverread = 8;

  void set(size_t i, const char* text, size_t length) {
    std::memcpy(&words_[i], text, sizeof words_[i]);
    lengths_[i] = length;
  }
  [[gnu::always_inline]] void parse() {
    for (size_t i = 0; i < kCount; ++i) numbers_[i] = decimal(words_[i], lengths_[i]);
  }
  uint32_t operator[](size_t i) const { return numbers_[i]; }  // since parse()

 private:
  std::array<uint64_t, kCount> words_{}, lengths_{};
  std::array<uint32_t, kCount> numbers_;
};

}  // namespace predrace

#endif  // PREDRACE_TRACE_DECIMAL_H
