// GoldilocksEngine: the paper's examples, long runs against HbEngine, and what bounds its
// table. Comparison with the definition: test/oracle/compare.py.
#include "runtime/engines/goldilocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "runtime/engines/hb.h"
#include "runtime/engines/hb_clocks.h"
#include "test/unit/engines/traces.h"

namespace predrace {
namespace {

struct Analysed {
  std::vector<Race> races;
  GoldilocksEngine engine{[this](const Race& r) { races.push_back(r); }};

  Analysed() = default;
  explicit Analysed(std::string_view text) { engine.run(written(text).events); }
};

std::set<Pair> pairs(std::string_view text) { return pairsOf(Analysed(text).races); }

// Section 2: o1.x is T1's under ma; T2 swaps the boxes under both locks without touching x;
// T3 finds it under mb.
TEST(Goldilocks, ALockTakesOverFromAnother) {
  constexpr const char* kFirst = "T1:acq(ma) T1:w(x) T1:rel(ma) ";
  constexpr const char* kSwap = "T2:acq(ma) T2:acq(mb) T2:w(a) T2:w(b) T2:rel(ma) T2:rel(mb) ";
  constexpr const char* kLast = "T3:acq(mb) T3:r(b) T3:w(x) T3:rel(mb)";
  EXPECT_TRUE(pairs(std::string(kFirst) + kSwap + kLast).empty());
  EXPECT_EQ(pairs(std::string(kFirst) + kLast), (std::set<Pair>{{1, 5}}));
}

// Section 2.1: a task made by T1, queued, split by T2 into T3 and T4, and printed by T2.
TEST(Goldilocks, TaskQueue) {
  constexpr const char* kTask =
      "T1:w(out) T1:acq(q) T1:w(queue) T1:rel(q) T2:acq(q) T2:w(queue) T2:rel(q) T2:fork(T3) T2:fork(T4) "
      "T3:acq(m) T3:w(out) T3:rel(m) T4:acq(m) T4:w(out) T4:rel(m) ";
  EXPECT_TRUE(pairs(std::string(kTask) + "T2:join(T3) T2:join(T4) T2:r(out)").empty());
  EXPECT_EQ(pairs(std::string(kTask) + "T2:join(T3) T2:r(out)"), (std::set<Pair>{{13, 16}}));
}

// Section 6.
TEST(Goldilocks, ReadsDoNotRaceWithEachOther) {
  EXPECT_TRUE(pairs("T1:w(x) T1:fork(T2) T1:fork(T3) T2:r(x) T3:r(x) T1:r(x)").empty());
}

TEST(Goldilocks, AWriteRacesWithEachUnorderedRead) {
  EXPECT_EQ(pairs("T1:fork(T2) T1:fork(T3) T2:r(x) T3:r(x) T1:join(T3) T1:w(x)"), (std::set<Pair>{{2, 5}}));
  EXPECT_EQ(pairs("T1:fork(T2) T1:fork(T3) T2:r(x) T3:r(x) T1:w(x)"), (std::set<Pair>{{2, 4}, {3, 4}}));
}

TEST(Goldilocks, ReadersAreOrderedWithWritersOnly) {
  EXPECT_EQ(pairs("T1:racq(l) T1:w(x) T1:rrel(l) T2:racq(l) T2:w(x) T2:rrel(l)"), (std::set<Pair>{{1, 4}}));
  EXPECT_TRUE(pairs("T1:racq(l) T1:w(x) T1:rrel(l) T2:acq(l) T2:w(x) T2:rel(l)").empty());
  EXPECT_TRUE(pairs("T1:acq(l) T1:w(x) T1:rel(l) T2:racq(l) T2:w(x) T2:rrel(l)").empty());
}

TEST(Goldilocks, WhatFollowsAReleaseIsNotHandedOn) {
  EXPECT_EQ(pairs("T1:acq(l) T1:rel(l) T1:w(x) T2:acq(l) T2:w(x) T2:rel(l)"), (std::set<Pair>{{2, 4}}));
}

TEST(Goldilocks, AtomicsRaceWithPlainAccessesOnly) {
  EXPECT_EQ(pairs("T1:aw(x) T2:au(x) T3:r(x)"), (std::set<Pair>{{0, 2}, {1, 2}}));
}

TEST(Goldilocks, FirstOnVariableIsMarkedOnce) {
  Analysed run("T1:w(x) T2:w(x) T1:w(x) T1:w(y) T2:r(y)");
  std::vector<uint64_t> first;
  for (const Race& r : run.races)
    if (r.firstOnVariable) first.push_back(r.second.index);
  EXPECT_EQ(first, (std::vector<uint64_t>{1, 4}));
}

// Long enough for columns to be merged, dropped and renumbered many times.
TEST(Goldilocks, LongRunsHaveTheRacyEventsOfHb) {
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    RandomEvents random(seed, {.threads = 8,
                               .locks = 6,
                               .variables = seed % 2 ? 40u : 4000u,
                               .accesses = 0.6,
                               .extras = seed % 3 ? 0.001 : 0.02,
                               .nested = seed % 2 == 0});
    std::vector<Event> events;
    for (int i = 0; i < 60000; ++i) events.push_back(random.next());
    Analysed run;
    run.engine.run(events);
    std::vector<Race> expected;
    HbEngine hb([&](const Race& r) { expected.push_back(r); });
    hb.run(events);
    EXPECT_FALSE(expected.empty());
    EXPECT_EQ(secondsOf(run.races), secondsOf(expected)) << "seed " << seed;
  }
}

TEST(Goldilocks, LocksetsAndMemoryDoNotGrowWithTheRun) {
  constexpr uint32_t kThreads = 8, kLocks = 16;
  RandomEvents random(1, {.threads = kThreads, .locks = kLocks, .variables = 10000, .extras = 0});
  Analysed run;
  size_t most = 0, early = 0;
  for (int i = 0; i < 1000000; ++i) {
    run.engine.on(random.next());
    most = std::max(most, run.engine.locksets());
    if (i == 300000) early = run.engine.memoryBytes();
  }
  EXPECT_LE(most, 4 * kThreads * (kThreads + 2 * kLocks)) << "lockset_table.h: threads x elements";
  EXPECT_LE(run.engine.memoryBytes(), early * 3 / 2);
}

TEST(Goldilocks, ThreadsThatComeAndGoLeaveFewLocksets) {
  Analysed run;
  uint64_t index = 0;
  for (uint32_t child = 1; child <= 20000; ++child) {
    run.engine.on({Op::Fork, 0, child, 0, index++});
    run.engine.on({Op::Write, child, child, 0, index++});  // and nobody ever touches it again
    run.engine.on({Op::Join, 0, child, 0, index++});
    ASSERT_LE(run.engine.locksets(), 2048u);
  }
}

TEST(Goldilocks, ASplitVariableHasTheWholeHistory) {
  Analysed run("T1:w(x) T2:w(z)");
  run.engine.splitVariable(0, 7);
  run.engine.forgetVariable(0);
  run.engine.on({Op::Write, 1, 0, 0, 10});
  run.engine.on({Op::Write, 1, 7, 0, 11});
  EXPECT_EQ(pairsOf(run.races), (std::set<Pair>{{0, 11}}));
}

TEST(Goldilocks, AForgottenLockOrUsedUpChannelOrdersNothing) {
  Analysed run("T1:w(x) T1:acq(l) T1:rel(l) T1:snd(c)");
  run.engine.forgetLock(0);
  run.engine.forgetChannel(0);
  run.engine.on({Op::Acquire, 1, 0, 0, 10});
  run.engine.on({Op::Receive, 1, 0, 0, 11});
  run.engine.on({Op::Write, 1, 0, 0, 12});
  EXPECT_EQ(pairsOf(run.races), (std::set<Pair>{{0, 12}}));
}

// Of a chain of two locksets the older one is folded: its access races with nothing later.
TEST(Goldilocks, FoldingForgetsTheOldest) {
  Analysed run("T1:w(x) T1:snd(c) T1:w(y)");
  EXPECT_EQ(run.engine.fold(0), 1u);
  run.engine.on({Op::Write, 1, 0, 0, 10});
  run.engine.on({Op::Write, 1, 1, 0, 11});
  EXPECT_EQ(pairsOf(run.races), (std::set<Pair>{{2, 11}}));
}

// How many of the races are between accesses that HbClocks orders.
size_t countOrdered(const std::vector<Event>& events, const std::vector<Race>& races) {
  HbClocks clocks;
  std::vector<std::pair<uint32_t, uint32_t>> moments;  // lane and tick, by event
  size_t wrong = 0, next = 0;
  for (const Event& e : events) {
    uint32_t lane = clocks.laneOf(e.thread);
    moments.emplace_back(lane, clocks.own(lane));
    clocks.on(lane, e);
    for (; next < races.size() && races[next].second.index == e.index; ++next) {
      auto [first, tick] = moments[races[next].first.index];
      wrong += clocks.ordered(first, tick, lane);
    }
  }
  EXPECT_EQ(next, races.size());
  return wrong;
}

TEST(Goldilocks, FoldingInventsNoRaceAndSavesMemory) {
  RandomEvents random(3, {.threads = 8, .locks = 64, .variables = 10000, .accesses = 0.9, .extras = 0});
  std::vector<Event> events;
  for (int i = 0; i < 200000; ++i) events.push_back(random.next());
  Analysed plain, folded;
  plain.engine.run(events);
  for (const Event& e : events) {
    folded.engine.on(e);
    if (e.index % 5000 != 4999) continue;
    size_t before = folded.engine.memoryBytes();
    folded.engine.fold(before / 2);
    EXPECT_LT(folded.engine.memoryBytes(), before);
  }
  EXPECT_FALSE(folded.races.empty());
  EXPECT_LT(secondsOf(folded.races).size(), secondsOf(plain.races).size());
  EXPECT_EQ(countOrdered(events, folded.races), 0u);
}

}  // namespace
}  // namespace predrace
