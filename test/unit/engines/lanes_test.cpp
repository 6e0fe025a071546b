#include "runtime/engines/lanes.h"

#include <gtest/gtest.h>

namespace predrace {
namespace {

auto knows(uint32_t tick) {
  return [=](uint32_t) { return tick; };
}

TEST(Lanes, PassOnOnlyWhatIsKnown) {
  Lanes<uint32_t> lanes;
  EXPECT_EQ(lanes.of(3), kNone);
  EXPECT_EQ(lanes.start(3, knows(0)).lane, 0u);
  lanes.end(3, 10);
  EXPECT_EQ(lanes.start(4, knows(9)).lane, 1u) << "thread 3's tick 10 is not before thread 4";
  auto place = lanes.start(5, knows(10));
  EXPECT_EQ(place.lane, 0u);
  EXPECT_EQ(place.from, 10u);
  EXPECT_EQ(lanes.of(3), kNone);
  EXPECT_EQ(lanes.everOf(3), 0u);
  EXPECT_EQ(lanes.of(5), 0u);
}

TEST(Lanes, RememberTheirTenants) {
  Lanes<uint32_t> lanes;
  lanes.start(0, knows(0));
  lanes.end(0, 10);
  lanes.start(8, knows(10));
  lanes.end(8, 20);
  lanes.start(9, knows(20));
  EXPECT_EQ(lanes.threadAt(0, 1), 0u);
  EXPECT_EQ(lanes.threadAt(0, 10), 0u);
  EXPECT_EQ(lanes.threadAt(0, 11), 8u);
  EXPECT_EQ(lanes.threadAt(0, 21), 9u);
}

TEST(Lanes, MovedThreadsKeepTheirNewLane) {
  Lanes<uint32_t> lanes;
  lanes.start(0, knows(0));
  EXPECT_EQ(lanes.move(0, 100).lane, 1u);
  EXPECT_EQ(lanes.start(1, knows(100)).lane, 0u);
  EXPECT_EQ(lanes.of(0), 1u);
}

TEST(Lanes, TooManyIdleOnesAreOrderedOnce) {
  Lanes<uint32_t> lanes;
  for (uint32_t t = 0; t < 6; ++t) lanes.start(t, knows(0));
  for (uint32_t t = 0; t < 6; ++t) lanes.end(t, 1);
  auto first = lanes.orderOldest(4);
  EXPECT_EQ(first, (std::vector<uint32_t>{0, 1, 2}));
  EXPECT_TRUE(lanes.orderOldest(4).empty());
}

}  // namespace
}  // namespace predrace
