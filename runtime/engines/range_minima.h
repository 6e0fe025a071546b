// RangeMinima: the smallest value in any range of an array that never changes.
//
// The array is cut into blocks of 32. Whole blocks are answered from a table with the minima of every
// 1, 2, 4, ... blocks in a row, two of which cover any range; the ends are read value by value. So
// a query costs O(1); the table of a million values takes less than half as much memory as they do.
//
// Immutable once built; thread-compatible.
#ifndef PREDRACE_ENGINES_RANGE_MINIMA_H
#define PREDRACE_ENGINES_RANGE_MINIMA_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace predrace {

class RangeMinima {
 public:
  static constexpr uint32_t kNothing = ~0u;  // the minimum of an empty range

  RangeMinima() = default;
  explicit RangeMinima(std::vector<uint32_t> values);

  size_t size() const { return values_.size(); }
  uint32_t operator[](size_t number) const { return values_[number]; }
  // Of the values with begin <= number < end. REQUIRES: begin <= end <= size().
  uint32_t minimum(size_t begin, size_t end) const;

 private:
  static constexpr size_t kBlock = 32;

  uint32_t scan(size_t begin, size_t end) const;

  std::vector<uint32_t> values_;
  std::vector<std::vector<uint32_t>> levels_;  // levels_[k][b]: of 2^k blocks, b the first
};

}  // namespace predrace

#endif  // PREDRACE_ENGINES_RANGE_MINIMA_H
