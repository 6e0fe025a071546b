#include "runtime/engines/range_minima.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace predrace {

RangeMinima::RangeMinima(std::vector<uint32_t> values) : values_(std::move(values)) {
  size_t blocks = values_.size() / kBlock;  // a last part of a block is always read value by value
  if (blocks == 0) return;
  std::vector<uint32_t>& first = levels_.emplace_back(blocks);
  for (size_t b = 0; b < blocks; ++b) first[b] = scan(b * kBlock, (b + 1) * kBlock);
  for (size_t half = 1; 2 * half <= blocks; half *= 2) {
    std::vector<uint32_t> level(blocks - 2 * half + 1);
    const std::vector<uint32_t>& below = levels_.back();
    for (size_t b = 0; b < level.size(); ++b) level[b] = std::min(below[b], below[b + half]);
    levels_.push_back(std::move(level));
  }
}

uint32_t RangeMinima::scan(size_t begin, size_t end) const {
  uint32_t least = kNothing;
  for (size_t i = begin; i < end; ++i) least = std::min(least, values_[i]);
  return least;
}

uint32_t RangeMinima::minimum(size_t begin, size_t end) const {
  size_t from = (begin + kBlock - 1) / kBlock, to = end / kBlock;
  if (from >= to) return scan(begin, end);
  auto level = static_cast<size_t>(std::bit_width(to - from) - 1);
  const std::vector<uint32_t>& row = levels_[level];
  uint32_t whole = std::min(row[from], row[to - (size_t{1} << level)]);
  return std::min({whole, scan(begin, from * kBlock), scan(to * kBlock, end)});
}

}  // namespace predrace
