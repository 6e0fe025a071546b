#include "runtime/engines/lockset.h"

#include <gtest/gtest.h>

#include <vector>

namespace predrace {
namespace {

std::vector<uint32_t> members(const Locksets& sets, uint32_t id) {
  auto span = sets.locks(id);
  return {span.begin(), span.end()};
}

TEST(Locksets, EmptyIsZero) {
  Locksets sets;
  EXPECT_EQ(Locksets::kEmpty, 0u);
  EXPECT_TRUE(sets.locks(0).empty());
}

TEST(Locksets, EqualSetsHaveEqualIds) {
  Locksets sets;
  uint32_t ab = sets.with(sets.with(0, 7, false), 3, true);
  uint32_t ba = sets.with(sets.with(0, 3, true), 7, false);
  EXPECT_EQ(ab, ba);
  EXPECT_EQ(members(sets, ab), (std::vector<uint32_t>{3 << 1 | 1, 7 << 1}));
  EXPECT_EQ(Locksets::lockOf(members(sets, ab)[0]), 3u);
  EXPECT_TRUE(Locksets::isShared(members(sets, ab)[0]));
  EXPECT_FALSE(Locksets::isShared(members(sets, ab)[1]));
}

TEST(Locksets, ExclusiveAndSharedDiffer) {
  Locksets sets;
  EXPECT_NE(sets.with(0, 1, false), sets.with(0, 1, true));
}

TEST(Locksets, WithoutInAnyOrder) {
  Locksets sets;
  uint32_t all = 0;
  for (uint32_t l = 0; l < 20; ++l) all = sets.with(all, l, false);
  EXPECT_EQ(sets.locks(all).size(), 20u);
  EXPECT_EQ(sets.with(all, 5, false), all);
  uint32_t rest = all;
  for (uint32_t l : {3, 0, 19, 7}) rest = sets.without(rest, l, false);
  EXPECT_EQ(sets.locks(rest).size(), 16u);
  EXPECT_EQ(sets.without(rest, 3, false), rest);
  for (uint32_t l = 0; l < 20; ++l) rest = sets.without(rest, l, false);
  EXPECT_EQ(rest, Locksets::kEmpty);
}

}  // namespace
}  // namespace predrace
