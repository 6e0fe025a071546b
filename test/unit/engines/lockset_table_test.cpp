#include "runtime/engines/lockset_table.h"

#include <gtest/gtest.h>

#include <vector>

namespace predrace {
namespace {

using Set = LocksetTable::Set;
using Element = LocksetTable::Element;

TEST(LocksetTable, PassActsOnTheLocksetsThatHaveTheSource) {
  LocksetTable table;
  Element t = table.add(), u = table.add(), l = table.add();
  Set mine = table.start(t), other = table.start(u);
  table.pass(t, l);
  Set later = table.start(t);
  EXPECT_TRUE(table.has(mine, l));
  EXPECT_FALSE(table.has(later, l));
  EXPECT_FALSE(table.has(other, l));
  table.pass(l, u);
  EXPECT_TRUE(table.has(mine, u));
  EXPECT_FALSE(table.has(later, u));
}

TEST(LocksetTable, ARemovedElementComesBackEmpty) {
  LocksetTable table;
  Element t = table.add(), l = table.add();
  Set s = table.start(t);
  table.pass(t, l);
  table.remove(l);
  ASSERT_EQ(table.add(), l);
  EXPECT_FALSE(table.has(s, l));
  EXPECT_TRUE(table.has(LocksetTable::kEverything, l));
}

TEST(LocksetTable, CoversComparesLocksets) {
  LocksetTable table;
  Element t = table.add(), l = table.add();
  EXPECT_TRUE(table.covers(l, t)) << "there are none";
  table.start(t);
  EXPECT_FALSE(table.covers(l, t));
  table.pass(t, l);
  EXPECT_TRUE(table.covers(l, t));
}

// All but the last few are equal, so they share columns; references to them stay good.
TEST(LocksetTable, EqualLocksetsAreMerged) {
  LocksetTable table;
  Element t = table.add(), l = table.add(), m = table.add();
  std::vector<Set> sets;
  for (int i = 0; i < 10000; ++i) {
    sets.push_back(table.start(t));
    table.pass(t, l);
    if (i == 4999) table.pass(t, m);
    ASSERT_LE(table.size(), 512u);
  }
  Set last = table.start(t);
  for (int i = 0; i < 10000; ++i) {
    EXPECT_TRUE(table.has(sets[i], t));
    EXPECT_TRUE(table.has(sets[i], l));
    EXPECT_EQ(table.has(sets[i], m), i < 5000);
  }
  EXPECT_FALSE(table.has(last, l));
}

TEST(LocksetTable, UnusedLocksetsAreDropped) {
  LocksetTable table;
  Element t = table.add();
  std::vector<Element> locks;
  for (int i = 0; i < 1000; ++i) locks.push_back(table.add());
  size_t before = table.memoryBytes();
  for (int i = 0; i < 100000; ++i) {
    Set s = table.start(t);
    table.pass(t, locks[i % 1000]);
    table.drop(s);
  }
  EXPECT_LE(table.size(), 512u);
  EXPECT_LE(table.memoryBytes(), before + 8192);
}

TEST(LocksetTable, DistinctLocksetsAreAllKept) {
  LocksetTable table;
  Element t = table.add();
  std::vector<Element> locks;
  std::vector<Set> sets;
  for (int i = 0; i < 2000; ++i) {
    sets.push_back(table.start(t));
    locks.push_back(table.add());
    table.pass(t, locks.back());
  }
  for (int i = 0; i < 2000; i += 37)
    for (int j = 0; j < 2000; j += 41) EXPECT_EQ(table.has(sets[i], locks[j]), i <= j);
}

TEST(LocksetTable, FoldingTakesTheOlderHalfOfEachChain) {
  LocksetTable table;
  Element t = table.add(), stranger = table.add();
  std::vector<Set> sets;
  for (int i = 0; i < 4; ++i) {
    sets.push_back(table.start(t));
    table.pass(t, table.add());
  }
  EXPECT_EQ(table.foldOldest(), 2u);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(table.isEverything(sets[i]), i < 2);
    EXPECT_EQ(table.has(sets[i], stranger), i < 2);
  }
}

}  // namespace
}  // namespace predrace
