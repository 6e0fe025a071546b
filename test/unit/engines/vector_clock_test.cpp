#include "runtime/engines/vector_clock.h"

#include <gtest/gtest.h>

#include <vector>

namespace predrace {
namespace {

using Clock = VectorClock<uint32_t>;

TEST(VectorClock, StartsAtZeroAndGrowsOnDemand) {
  BlockPool pool;
  Clock c;
  EXPECT_EQ(c[0], 0u);
  EXPECT_EQ(c[100000], 0u);
  c.raise(pool, 70, 5);
  EXPECT_EQ(c[70], 5u);
  EXPECT_EQ(c[69], 0u);
  c.raise(pool, 70, 3);
  EXPECT_EQ(c[70], 5u);
}

TEST(VectorClock, SharesUntilWritten) {
  BlockPool pool;
  Clock a;
  a.raise(pool, 1, 7);
  Clock b = a;
  EXPECT_TRUE(a.shares(b));
  b.raise(pool, 1, 8);
  EXPECT_FALSE(a.shares(b));
  EXPECT_EQ(a[1], 7u);
  EXPECT_EQ(b[1], 8u);
}

TEST(VectorClock, JoinIsComponentwiseMaximum) {
  BlockPool pool;
  Clock a, b;
  a.raise(pool, 0, 3);
  a.raise(pool, 2, 9);
  b.raise(pool, 0, 5);
  b.raise(pool, 40, 1);
  EXPECT_FALSE(a.covers(b));
  a.join(pool, b);
  EXPECT_EQ(a[0], 5u);
  EXPECT_EQ(a[2], 9u);
  EXPECT_EQ(a[40], 1u);
  EXPECT_TRUE(a.covers(b));
  EXPECT_FALSE(b.covers(a));
}

TEST(VectorClock, StampKeepsTheOwnComponentApart) {
  BlockPool pool;
  Stamp<uint32_t> s;
  EXPECT_FALSE(s);
  s.others.raise(pool, 2, 4);
  s.others.raise(pool, 1, 1);
  s.lane = 1;
  s.own = 6;
  EXPECT_EQ(s[1], 6u);
  EXPECT_EQ(s[2], 4u);
  Clock c;
  EXPECT_FALSE(s.within(c));
  s.joinInto(pool, c);
  EXPECT_TRUE(s.within(c));
  EXPECT_EQ(c[1], 6u);
  EXPECT_EQ(s.others[1], 1u);
}

TEST(VectorClock, BlocksComeBack) {
  BlockPool pool;
  {
    std::vector<VectorClock<uint64_t>> many(100);
    for (auto& c : many) c.raise(pool, 30, 1);
    EXPECT_GE(pool.memoryBytes(), 100u * 256);
  }
  EXPECT_EQ(pool.memoryBytes(), 0u);
}

}  // namespace
}  // namespace predrace
