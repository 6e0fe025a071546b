#include "runtime/engines/range_minima.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace predrace {
namespace {

// Sizes around the ends of blocks, and with several levels of them.
class RangeMinimaTest : public testing::TestWithParam<size_t> {};

TEST_P(RangeMinimaTest, EveryRangeHasTheMinimumOfItsValues) {
  std::mt19937 random(static_cast<uint32_t>(GetParam()));
  std::vector<uint32_t> values(GetParam());
  for (uint32_t& v : values) v = static_cast<uint32_t>(random() % 1000);
  RangeMinima minima(values);
  ASSERT_EQ(minima.size(), values.size());
  for (size_t begin = 0; begin <= values.size(); ++begin) {
    uint32_t least = RangeMinima::kNothing;
    ASSERT_EQ(minima.minimum(begin, begin), least);
    for (size_t end = begin; end < values.size(); ++end) {
      least = std::min(least, values[end]);
      ASSERT_EQ(minima.minimum(begin, end + 1), least) << begin << " to " << end;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, RangeMinimaTest, testing::Values(0, 1, 31, 32, 33, 64, 95, 96, 257, 1000));

}  // namespace
}  // namespace predrace
