#include "runtime/engines/syncp.h"

#include "test/unit/engines/witnessed.h"

namespace predrace {
namespace {

using Pairs = std::set<Pair>;

Pairs syncpPairs(std::string_view text) { return witnessedPairs<SyncPEngine>(text); }

TEST(SyncP, LeavesOutSectionsThatNobodyNeeds) {  // happens-before orders it
  EXPECT_EQ(syncpPairs("t1:w(x) t1:acq(l) t1:rel(l) t2:acq(l) t2:rel(l) t2:w(x)"), (Pairs{{0, 5}}));
}

TEST(SyncP, EndsTheEarlierSectionOfALock) {
  // 0 is in the section that must end before t2's, which t2 must have been in.
  EXPECT_TRUE(syncpPairs("t1:acq(l) t1:w(x) t1:rel(l) t2:acq(l) t2:rel(l) t2:w(x)").empty());
}

TEST(SyncP, NeverSwapsSections) {  // osr does: its figure 1a
  EXPECT_EQ(syncpPairs("t1:w(x) t1:w(y) t2:acq(l) t2:w(a) t2:r(y) t2:rel(l) t3:acq(l) t3:w(b) t3:rel(l) "
                       "t4:r(a) t4:r(b) t4:w(x)")
                .count({0, 11}),
            0u);
}

TEST(SyncP, SharedSectionsNeedNotEnd) {
  EXPECT_EQ(syncpPairs("t1:racq(l) t1:w(x) t1:rrel(l) t2:racq(l) t2:rrel(l) t2:w(x)"), (Pairs{{1, 5}}));
}

TEST(SyncP, WhatWasReadComesFirst) {
  EXPECT_TRUE(syncpPairs("t1:w(x) t1:w(y) t2:r(y) t2:w(x)").count({0, 3}) == 0);
}

TEST(SyncP, KeptOrderAndChannelsAreKept) {
  EXPECT_TRUE(syncpPairs("t1:w(x) t1:at(o) t2:at(o) t2:w(x)").empty());
  EXPECT_TRUE(syncpPairs("t1:w(x) t1:snd(c) t2:rcv(c) t2:w(x)").empty());
  EXPECT_TRUE(syncpPairs("t1:w(x) t1:au(a) t2:au(a) t2:w(x)").empty());
}

TEST(SyncP, ASectionThatOnlyItsThreadsEndEndsIsInTheWay) {
  std::vector<Event> events = written("t1:acq(l) t1:w(x) t1:end").events;
  for (Event e :
       {Event{Op::Acquire, 1, 0, 0, 3}, Event{Op::Release, 1, 0, 0, 4}, Event{Op::Write, 1, 0, 0, 5}})
    events.push_back(e);
  EXPECT_TRUE(witnessedRaces<SyncPEngine>(events).empty());
}

TEST(SyncP, LaterAccessesOfAGroupAreTriedWhenEarlierOnesAreOrdered) {
  // The first write is ordered by what t2 reads, the second is not.
  EXPECT_EQ(syncpPairs("t1:w(x) t1:w(y) t1:w(x) t2:r(y) t2:w(x)").count({2, 4}), 1u);
}

TEST(SyncP, TheFirstRaceOfAVariableIsMarked) {
  std::vector<Race> races =
      witnessedRaces<SyncPEngine>(written("t1:w(x) t2:w(x) t3:w(x) t1:w(y) t2:r(y)").events);
  ASSERT_EQ(races.size(), 3u);
  EXPECT_TRUE(races[0].firstOnVariable);
  EXPECT_FALSE(races[1].firstOnVariable);
  EXPECT_TRUE(races[2].firstOnVariable);
}

}  // namespace
}  // namespace predrace
