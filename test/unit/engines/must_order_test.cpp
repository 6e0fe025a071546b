#include "runtime/engines/must_order.h"

#include <gtest/gtest.h>

namespace predrace {
namespace {

TEST(MustOrder, ThreadOrderAndNothingElse) {
  MustOrder m;
  m.write(0, 0, 0);
  m.write(1, 1, 1);
  EXPECT_TRUE(m.orderedBefore(0, 0, 0));
  EXPECT_FALSE(m.orderedBefore(0, 0, 1));
}

TEST(MustOrder, ForkAndJoin) {
  MustOrder m;
  m.write(0, 0, 0);
  m.fork(0, 1, 1);
  m.write(0, 0, 2);
  EXPECT_TRUE(m.orderedBefore(0, 0, 1)) << "before the child's first event";
  m.write(1, 0, 3);
  EXPECT_TRUE(m.orderedBefore(0, 1, 1));
  EXPECT_FALSE(m.orderedBefore(0, 2, 1));
  m.join(0, 1, 5);
  EXPECT_TRUE(m.orderedBefore(1, 3, 0));
  EXPECT_TRUE(m.orderedBefore(1, 4, 0)) << "also events that were not told";
}

TEST(MustOrder, ReadsFromTheLastWriteOnly) {
  MustOrder m;
  m.write(0, 7, 0);
  m.write(1, 7, 1);
  m.read(2, 7, 2);
  EXPECT_TRUE(m.orderedBefore(1, 1, 2));
  EXPECT_FALSE(m.orderedBefore(0, 0, 2));
  m.write(2, 8, 3);
  m.read(3, 8, 4);
  EXPECT_TRUE(m.orderedBefore(1, 1, 3)) << "transitive";
}

TEST(MustOrder, AtomicsKeepTheirPlaceAndWhatTheyRead) {
  MustOrder m;
  m.write(0, 1, 0);
  m.keep(1, 1, 1);
  m.read(1, 1, 1, true);  // reads from thread 0
  m.keep(2, 1, 2);
  EXPECT_TRUE(m.orderedBefore(1, 1, 2));
  EXPECT_TRUE(m.orderedBefore(0, 0, 2)) << "by what the earlier atomic read";
  EXPECT_FALSE(m.orderedBefore(0, 0, 3));
}

TEST(MustOrder, AtObjectsAndChannels) {
  MustOrder m;
  m.at(0, 0, 0);
  m.at(1, 0, 1);
  EXPECT_TRUE(m.orderedBefore(0, 0, 1));
  m.send(2, 5, 2);
  m.send(3, 5, 3);
  m.send(3, 5, 4);
  m.receive(4, 5, 5);
  EXPECT_TRUE(m.orderedBefore(2, 2, 4)) << "every earlier send, not only the last";
  EXPECT_TRUE(m.orderedBefore(3, 4, 4));
  m.forgetChannel(5);
  m.receive(5, 5, 6);
  EXPECT_FALSE(m.orderedBefore(3, 4, 5));
}

TEST(MustOrder, SplitCopiesTheLastWrite) {
  MustOrder m;
  m.write(0, 0, 0);
  m.splitVariable(0, 1);
  m.write(1, 0, 1);
  m.read(2, 1, 2);
  EXPECT_TRUE(m.orderedBefore(0, 0, 2));
  EXPECT_FALSE(m.orderedBefore(1, 1, 2));
  m.forgetVariable(1);
  m.read(3, 1, 3);
  EXPECT_FALSE(m.orderedBefore(0, 0, 3));
}

TEST(MustOrder, ThousandsOfThreadsInTurnStaySmall) {
  MustOrder m;
  uint64_t index = 0;
  size_t early = 0;
  for (uint32_t t = 1; t <= 20000; ++t) {
    m.fork(0, t, index++);
    m.write(t, t % 16, index++);
    m.end(t, index++);
    m.join(0, t, index++);
    if (t == 2000) early = m.memoryBytes();
  }
  EXPECT_TRUE(m.orderedBefore(77, 77 * 4 - 3, 0));
  EXPECT_LT(m.memoryBytes(), early + 20000 * 64);
}

TEST(MustOrder, FoldOnlyAddsOrder) {
  MustOrder m;
  m.write(0, 0, 0);
  m.write(1, 1, 1);
  m.fold();
  m.read(2, 0, 2);
  EXPECT_TRUE(m.orderedBefore(0, 0, 2));
  EXPECT_TRUE(m.orderedBefore(1, 1, 2)) << "which write it was is forgotten";
  EXPECT_FALSE(m.orderedBefore(2, 2, 0));
}

}  // namespace
}  // namespace predrace
