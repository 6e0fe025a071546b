// Names of a trace's things, as the dense numbers that engines index arrays by.
//
// Most names are a letter and a number (T12, x345): an array has those with the family's letter,
// unless their numbers are much larger than the family. A hundred thousand variables fit into a
// second-level cache that way, and into no cache as keys of a hash table: measured, 8 ns less for
// each event of such a trace. Nearly all others are short (0x7ffc12345678), so names of up to 15
// bytes are compared as one or two words. A key has the name's length, plus one, in its last byte:
// a name with a NUL at its end is another name, and no key is zero.
//
// Not thread-safe.
#ifndef PREDRACE_TRACE_NAMES_H
#define PREDRACE_TRACE_NAMES_H

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "runtime/trace/decimal.h"

namespace predrace {

// Names of one family, numbered from 0 in the order of their first use.
class Names {
 public:
  static constexpr uint32_t kUnknown = ~0u;
  // How far beyond a name's begin find() reads.
  static constexpr size_t kOverread = 16;

  uint32_t numberOf(std::string_view name);
  // The same, if decimalOf() the name is known. REQUIRES: as for find.
  uint32_t numberOf(const char* name, size_t length, uint32_t decimal) {
    if (!hasPlace(*name, decimal)) return numberOfOther(name, length, decimal);
    uint32_t& number = byDecimal_[decimal];
    if (number == kUnknown) {
      number = size();
      spellings_.push_back(decimal);
    }
    return number;
  }
  // kUnknown if the name is new, or longer than 15 bytes.
  // REQUIRES: kOverread bytes from `name` on can be read.
  [[gnu::always_inline]] uint32_t find(const char* name, size_t length) const {
    return find(name, length, decimalOf(name, length));
  }
  // The same, if decimalOf() the name is known.
  [[gnu::always_inline]] uint32_t find(const char* name, size_t length, uint32_t decimal) const {
    if (hasPlace(*name, decimal)) [[likely]]
      return byDecimal_[decimal];
    if (length < 8) return short_.find(shortKey(name, length));
    if (length < 16) return medium_.find(mediumKey(name, length));
    return kUnknown;
  }
  // Of the name behind its first letter.
  [[gnu::always_inline]] static uint32_t decimalOf(const char* name, size_t length) {
    return decimal(load(name + 1), length - 1);
  }

  std::string nameOf(uint32_t number) const;
  uint32_t size() const { return static_cast<uint32_t>(spellings_.size()); }

 private:
  template <size_t kWords>
  using Key = std::array<uint64_t, kWords>;

  // Open addressing by buckets of four, compared all at once: where in its bucket a name is
  // cannot be predicted. At most half full, so that a second bucket is rare.
  template <size_t kWords>
  class Table {
   public:
    [[gnu::always_inline]] uint32_t find(const Key<kWords>& key) const {
      for (size_t i = hash(key) >> shift_;; i = (i + 1) & mask_) {
        const Bucket& b = buckets_[i];
        Four match = b.next;
        for (size_t w = 0; w < kWords; ++w) match &= reinterpret_cast<Four>(b.keys[w] == key[w]);
        uint64_t found = match[0] | match[1] | match[2] | match[3];
        if (found) [[likely]]
          return static_cast<uint32_t>(found - 1);
        if (b.next[kWays - 1] == 0) return kUnknown;
      }
    }
    void insert(const Key<kWords>& key, uint32_t number);

   private:
    static constexpr int kWays = 4;
    using Four = uint64_t __attribute__((ext_vector_type(kWays)));
    struct alignas(64) Bucket {
      Four keys[kWords] = {};
      Four next = 0;  // the number plus one; 0: none
    };

    static uint64_t hash(const Key<kWords>& key) {
      uint64_t h = 0;
      for (uint64_t word : key) h = (h ^ word ^ word >> 32) * 0x9e3779b97f4a7c15;
      return kWords == 1 ? h : (h ^ h >> 32) * 0x9e3779b97f4a7c15;
    }
    void place(const Key<kWords>& key, uint64_t next);

    std::vector<Bucket> buckets_ = std::vector<Bucket>(16);
    size_t mask_ = 15, used_ = 0;
    uint32_t shift_ = 60;
  };
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view s) const { return std::hash<std::string_view>()(s); }
  };

  static uint64_t load(const char* from) {
    uint64_t v;
    std::memcpy(&v, from, sizeof v);
    return v;
  }
  static uint64_t lastWord(const char* from, size_t bytes, size_t length) {
    return (load(from) & ((uint64_t{1} << 8 * bytes) - 1)) | uint64_t{length + 1} << 56;
  }
  static Key<1> shortKey(const char* name, size_t length) { return {lastWord(name, length, length)}; }
  static Key<2> mediumKey(const char* name, size_t length) {
    return {load(name), lastWord(name + 8, length - 8, length)};
  }
  static_assert(std::endian::native == std::endian::little);

  // Is the name in byDecimal_, if it is known?
  [[gnu::always_inline]] bool hasPlace(char letter, uint32_t decimal) const {
    return (letter == letter_) & (decimal < byDecimal_.size());
  }
  bool makePlace(uint32_t decimal);
  uint32_t numberOfOther(const char* name, size_t length, uint32_t decimal);
  void spellOut(std::string_view name);

  static constexpr uint32_t kSparse = 16;            // entries of byDecimal_ for a name, at most
  static constexpr uint32_t kSpelledOut = 1u << 31;  // above all decimals

  char letter_ = 0;                  // of the names that are a letter and a decimal, 0: none yet
  std::vector<uint32_t> byDecimal_;  // their numbers, or kUnknown
  std::vector<uint32_t> spellings_;  // by number: the decimal behind letter_, or a place in ends_
  Table<1> short_;
  Table<2> medium_;
  absl::flat_hash_map<std::string, uint32_t, Hash, std::equal_to<>> long_;
  std::string text_;  // of the names that are spelled out, one behind the other
  std::vector<size_t> ends_;
};

// Program locations, which nothing indexes by: a line number of up to eight digits is its own
// number, so that a trace with a new one in each event takes no memory.
class Sites {
 public:
  static constexpr uint32_t kNamed = 1u << 31;  // from here on: all the others

  uint32_t numberOf(std::string_view site);
  // The same, or Names::kUnknown. REQUIRES: as for Names::find.
  [[gnu::always_inline]] uint32_t find(const char* site, size_t length) const {
    return find(site, length, decimalOf(site, length));
  }
  // The same, if decimalOf() the site is known.
  [[gnu::always_inline]] uint32_t find(const char* site, size_t length, uint32_t decimal) const {
    if (decimal != kNotDecimal) [[likely]]
      return decimal;
    uint32_t named = names_.find(site, length);
    return named == Names::kUnknown ? named : kNamed | named;
  }
  [[gnu::always_inline]] static uint32_t decimalOf(const char* site, size_t length) {
    uint64_t digits;
    std::memcpy(&digits, site, sizeof digits);
    return decimal(digits, length);
  }
  std::string nameOf(uint32_t number) const;

 private:
  Names names_;
};

struct TraceNames {
  Names threads, variables, locks, channels, objects;
  Sites sites;  // the third field
};

}  // namespace predrace

#endif  // PREDRACE_TRACE_NAMES_H
