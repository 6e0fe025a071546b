#include "runtime/engines/osr.h"

#include <gtest/gtest.h>

#include "runtime/engines/check.h"
#include "test/unit/engines/traces.h"

namespace predrace {
namespace {

// The races, each of which must have a witness that the checker accepts.
std::vector<Race> osrRaces(const std::vector<Event>& events) {
  std::vector<Race> races;
  WitnessChecker checker(events);
  OsrEngine engine([&](const Race& r) {
    races.push_back(r);
    ASSERT_NE(r.witness, nullptr);
    EXPECT_EQ(checker.check(r.witness->schedule(), r.first.index, r.second.index), "");
  });
  engine.run(events);
  engine.finish();
  return races;
}

std::set<Pair> osrPairs(std::string_view text) { return pairsOf(osrRaces(written(text).events)); }

TEST(Osr, ReversesSectionsThatStayOpen) {  // figure 1a: no sync-preserving race
  EXPECT_EQ(osrPairs("t1:w(x) t1:w(y) t2:acq(l) t2:w(a) t2:r(y) t2:rel(l) t3:acq(l) t3:w(b) t3:rel(l) "
                     "t4:r(a) t4:r(b) t4:w(x)"),
            (std::set<Pair>{{0, 11}, {1, 4}, {3, 9}, {7, 10}}));
}

TEST(Osr, NeedsOneSectionOnly) {  // figure 2a: happens-before orders it
  EXPECT_EQ(osrPairs("t1:w(x) t1:acq(l) t1:rel(l) t2:acq(l) t2:w(x) t2:rel(l)"), (std::set<Pair>{{0, 4}}));
}

TEST(Osr, TwoSectionsOpenOnOneLockAreRefused) {  // after figure 3a: 0 and 16 do race, but not optimistically
  EXPECT_EQ(osrPairs("t1:w(x) t1:w(y) t2:acq(l2) t2:w(a) t2:r(y) t2:rel(l2) t3:acq(l2) t3:w(b) t3:r(y) "
                     "t3:rel(l2) t4:acq(l1) t4:w(c) t4:r(a) t4:r(b) t4:rel(l1) t5:r(c) t5:w(x)")
                .count({0, 16}),
            0u);
}

TEST(Osr, ConflictingAccessesKeepTheirOrder) {  // figure 3c: 9 and 18 do race, but not optimistically
  EXPECT_EQ(secondsOf(osrRaces(written("t1:w(x1) t1:w(x2) t1:w(x3) t1:acq(l) t1:w(x4) t1:w(x1) t1:rel(l) "
                                       "t1:acq(l) t1:r(x4) t1:w(x5) t1:rel(l) t2:w(x1) t2:acq(l) t2:w(x4) "
                                       "t2:rel(l) t2:w(x3) t2:r(x2) t2:w(x1) t2:w(x5)")
                                   .events)),
            (std::set<uint64_t>{11, 15, 16}));
}

TEST(Osr, DataThatWasReadComesFirst) {  // figure 5a
  EXPECT_TRUE(
      osrPairs("t1:w(z) t1:acq(l) t1:w(y) t1:w(x) t1:rel(l) t2:acq(l) t2:r(y) t2:rel(l) t2:w(x)").empty());
}

// The neighbour of the write of 5 and the read of 10 is not in the set, yet their order counts.
TEST(Osr, ConflictsCountWhateverIsBetweenThem) {
  EXPECT_TRUE(osrPairs("T0:w(x0) T0:fork(T1) T0:fork(T2) T2:acq(l0) T2:r(x0) T2:w(x0) T2:rel(l0) T1:acq(l0) "
                       "T1:w(x0) T1:rel(l0) T1:r(x0)")
                  .empty());
}

TEST(Osr, ACommonLockForbidsTheRaceUnlessBothShareIt) {
  EXPECT_TRUE(osrPairs("t1:acq(l) t1:w(x) t1:rel(l) t2:acq(l) t2:w(x) t2:rel(l)").empty());
  EXPECT_TRUE(osrPairs("t1:acq(l) t1:w(x) t1:rel(l) t2:racq(l) t2:w(x) t2:rrel(l)").empty());
  EXPECT_EQ(osrPairs("t1:racq(l) t1:w(x) t1:rrel(l) t2:racq(l) t2:w(x) t2:rrel(l)"),
            (std::set<Pair>{{1, 4}}));
}

TEST(Osr, ASectionThatNeverEndsStaysOpen) {
  // t3 is in its section for ever, and t2 has seen it there: nobody else gets in before t2's write.
  EXPECT_TRUE(osrPairs("t1:acq(l) t1:w(x) t1:rel(l) t3:acq(l) t3:w(y) t2:r(y) t2:w(x)").count({1, 6}) == 0);
  EXPECT_EQ(osrPairs("t1:acq(l) t1:w(x) t1:rel(l) t3:acq(l) t3:w(y) t2:w(x)"), (std::set<Pair>{{1, 5}}));
}

TEST(Osr, KeptOrderAndChannelsAreKept) {
  EXPECT_TRUE(osrPairs("t1:w(x) t1:at(o) t2:at(o) t2:w(x)").empty());
  EXPECT_TRUE(osrPairs("t1:w(x) t1:snd(c) t2:rcv(c) t2:w(x)").empty());
  EXPECT_TRUE(osrPairs("t1:w(x) t1:au(a) t2:au(a) t2:w(x)").empty());
  EXPECT_TRUE(osrPairs("t1:w(x) t1:fork(t2) t2:w(x) t3:join(t2) t3:w(x)").empty());
}

TEST(Osr, AnAtomicAccessRacesWithPlainOnesOnly) {
  EXPECT_EQ(osrPairs("t1:aw(x) t2:ar(x) t3:r(x)"), (std::set<Pair>{{0, 2}}));
}

TEST(Osr, OneRaceForEachRacyEvent) {
  std::vector<Race> races = osrRaces(written("t1:w(x) t2:w(x) t3:w(x) t3:w(y)").events);
  EXPECT_EQ(races.size(), 2u);
  EXPECT_EQ(secondsOf(races), (std::set<uint64_t>{1, 2}));
  EXPECT_TRUE(races[0].firstOnVariable);
  EXPECT_FALSE(races[1].firstOnVariable);
}

TEST(Osr, SaysWhatHappensBeforeOrders) {
  EXPECT_TRUE(osrRaces(written("t1:w(x) t2:w(x)").events)[0].unordered);
  EXPECT_FALSE(
      osrRaces(written("t1:w(x) t1:acq(l) t1:rel(l) t2:acq(l) t2:w(x) t2:rel(l)").events)[0].unordered);
}

// t3's section ends after it has read what t1 wrote behind its first write of x, so at that one it is still
// open where t2 takes the lock; at the second one it need not be.
TEST(Osr, ALaterAccessRacesWhereTheFirstDoesNot) {
  EXPECT_EQ(
      osrPairs(
          "t1:w(x) t3:acq(l) t3:w(y) t1:w(z) t3:r(z) t3:rel(l) t1:w(x) t2:r(y) t2:acq(l) t2:w(x) t2:rel(l)"),
      (std::set<Pair>{{2, 7}, {3, 4}, {6, 9}}));
}

// Long ones, whose graphs have many nodes: the checker is in osrRaces().
TEST(Osr, EveryWitnessOfRandomTracesIsAccepted) {
  size_t races = 0, reversed = 0;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    RandomEvents random(
        seed, {.threads = 6, .locks = 5, .variables = 40, .accesses = 0.4, .nested = seed % 2 == 0});
    std::vector<Event> events;
    for (int i = 0; i < 600; ++i) events.push_back(random.next());
    for (const Race& r : osrRaces(events)) {
      ++races;
      reversed += !r.unordered;
    }
  }
  EXPECT_GT(races, 1000u);
  EXPECT_GT(reversed, 100u);
}

}  // namespace
}  // namespace predrace
