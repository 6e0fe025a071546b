// hb, fasttrack, shb and eraser: what each promises beyond what the comparison with the
// definitions shows, and the live contract of all four.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "runtime/engines/engines.h"
#include "test/unit/engines/traces.h"

namespace predrace {
namespace {

struct Running {
  explicit Running(std::string_view name)
      : engine(findEngine(name)->make([this](const Race& r) { races.push_back(r); })) {}

  Running& on(const std::vector<Event>& events) {
    for (const Event& e : events) engine->on(e);
    return *this;
  }
  Running& on(std::string_view text) { return on(written(text).events); }
  Running& on(Op op, uint32_t thread, uint32_t target) {
    engine->on({op, thread, target, 0, next++});
    return *this;
  }
  std::set<Pair> pairs() const { return pairsOf(races); }

  std::vector<Race> races;
  std::unique_ptr<Engine> engine;
  uint64_t next = 0;  // index of events told one by one
};

std::vector<Event> randomEvents(uint64_t seed, size_t count, RandomEvents::Shape shape = {}) {
  RandomEvents random(seed, shape);
  std::vector<Event> out;
  while (out.size() < count) out.push_back(random.next());
  return out;
}

using Pairs = std::set<Pair>;

TEST(Hb, ARepeatedAccessRacesAgain) {
  EXPECT_EQ(Running("hb").on("T1:w(x) T2:w(x) T2:w(x)").pairs(), (Pairs{{0, 1}, {0, 2}}));
}

TEST(Hb, TellsOfTwoOrderedPartnersTheLater) {
  EXPECT_EQ(Running("hb").on("T1:acq(m) T1:w(x) T1:rel(m) T2:acq(m) T2:w(x) T2:rel(m) T3:w(x)").pairs(),
            (Pairs{{4, 6}}));
}

TEST(Hb, TellsEachOfSeveralUnorderedPartners) {
  EXPECT_EQ(Running("hb").on("T1:r(x) T2:r(x) T3:w(x)").pairs(), (Pairs{{0, 2}, {1, 2}}));
}

TEST(Hb, AnAtomicRacesWithPlainAccessesOnly) {
  EXPECT_EQ(Running("hb").on("T1:aw(x) T2:aw(x) T3:r(x)").pairs(), (Pairs{{0, 2}, {1, 2}}));
}

TEST(Hb, CountsTheMemoryOfConcurrentReads) {
  Running hb("hb");
  hb.on(Op::Read, 99, 0);
  size_t before = hb.engine->memoryBytes();
  for (uint32_t t = 0; t < 99; ++t) hb.on(Op::Read, t, 0);
  EXPECT_GE(hb.engine->memoryBytes(), before + 99 * 16);
}

TEST(FastTrack, FindsARaceWithAnyOfTheConcurrentReads) {
  EXPECT_EQ(Running("fasttrack").on("T1:r(x) T2:r(x) T2:snd(c) T3:rcv(c) T3:w(x)").pairs(), (Pairs{{0, 4}}));
}

TEST(FastTrack, AWriteEndsTheReadsBeforeIt) {
  EXPECT_TRUE(Running("fasttrack")
                  .on("T1:r(x) T2:r(x) T1:snd(c) T2:snd(c) T3:rcv(c) T3:w(x) T3:snd(d) T4:rcv(d) T4:w(x)")
                  .races.empty());
}

TEST(FastTrack, FirstRacesAreThoseOfHb) {
  auto firsts = [](std::string_view name, const std::vector<Event>& events) {
    std::map<uint32_t, uint64_t> out;
    Running running(name);
    for (const Race& r : running.on(events).races) {
      EXPECT_EQ(r.firstOnVariable, !out.contains(r.variable));
      out.try_emplace(r.variable, r.second.index);
    }
    return out;
  };
  for (uint64_t seed = 0; seed < 200; ++seed) {
    std::vector<Event> events = randomEvents(seed, 60, {.variables = 6});
    EXPECT_EQ(firsts("fasttrack", events), firsts("hb", events)) << "seed " << seed;
  }
}

TEST(Shb, AReadIsAfterWhatItReadsFrom) {
  std::string_view text = "T1:w(y) T1:w(x) T2:r(x) T2:r(y)";
  EXPECT_EQ(Running("hb").on(text).pairs(), (Pairs{{1, 2}, {0, 3}}));
  EXPECT_EQ(Running("shb").on(text).pairs(), (Pairs{{1, 2}})) << "but races with it all the same";
}

TEST(Shb, AReadIsNotAfterHiddenWrites) {
  EXPECT_EQ(Running("shb").on("T1:w(y) T1:w(x) T3:w(x) T2:r(x) T2:r(y)").pairs(),
            (Pairs{{1, 2}, {1, 3}, {2, 3}, {0, 4}}));
}

TEST(Shb, WhatFollowsAWriteIsNotOrderedWithIt) {
  EXPECT_EQ(Running("shb").on("T1:w(x) T1:w(y) T2:r(x) T2:r(y)").pairs(), (Pairs{{0, 2}, {1, 3}}));
}

TEST(Shb, KeepsTheOrderOfObjectsAndAtomics) {
  EXPECT_TRUE(Running("shb").on("T1:w(x) T1:at(o) T2:at(o) T2:w(x)").races.empty());
  EXPECT_TRUE(Running("shb").on("T1:w(x) T1:ar(a) T2:ar(a) T2:w(x)").races.empty());
}

TEST(Shb, FoldOrdersTheReadersOfForgottenWrites) {
  constexpr uint32_t x = 0, y = 5000, z = 5001;  // y and z are neighbours, x is not
  Running shb("shb");
  shb.on(Op::Write, 0, y).on(Op::Write, 0, x).on(Op::Write, 0, z);
  EXPECT_EQ(shb.engine->fold(shb.engine->memoryBytes() - 1), 1u) << "x, the oldest";
  shb.on(Op::Write, 2, z);
  EXPECT_EQ(shb.pairs(), (Pairs{{2, 3}})) << "z is still known";
  shb.on(Op::Read, 1, x).on(Op::Write, 1, y);
  EXPECT_EQ(shb.races.size(), 1u) << "y was written before x";
}

TEST(Eraser, OneThreadNeedsNoLock) {
  EXPECT_TRUE(Running("eraser").on("T1:w(x) T1:r(x) T1:w(x)").races.empty());
}

TEST(Eraser, ReadsNeedNoLock) { EXPECT_TRUE(Running("eraser").on("T1:r(x) T2:r(x) T3:ar(x)").races.empty()); }

TEST(Eraser, ReportsTheAccessThatLeavesNoLockWithTheLatestOfAnotherThread) {
  Running eraser("eraser");
  eraser.on("T1:acq(m) T1:w(x) T1:w(x) T1:rel(m) T2:acq(m) T2:w(x) T2:rel(m) T2:w(x) T3:w(x)");
  EXPECT_EQ(eraser.pairs(), (Pairs{{2, 7}})) << "and only once";
  EXPECT_EQ(eraser.races[0].first.thread, 0u);
}

TEST(Eraser, ASharedSectionProtectsReadsOnly) {
  EXPECT_TRUE(
      Running("eraser").on("T1:acq(m) T1:w(x) T1:rel(m) T2:racq(m) T2:r(x) T2:rrel(m)").races.empty());
  EXPECT_EQ(Running("eraser").on("T1:acq(m) T1:w(x) T1:rel(m) T2:racq(m) T2:w(x) T2:rrel(m)").pairs(),
            (Pairs{{1, 4}}));
}

TEST(Eraser, SectionsNeedNotNest) {
  EXPECT_TRUE(Running("eraser")
                  .on("T1:acq(l) T1:acq(m) T1:rel(l) T1:w(x) T1:rel(m) T2:acq(m) T2:w(x) T2:rel(m)")
                  .races.empty());
  EXPECT_EQ(Running("eraser")
                .on("T1:acq(l) T1:acq(m) T1:rel(l) T1:w(x) T1:rel(m) T2:acq(l) T2:w(x) T2:rel(l)")
                .pairs(),
            (Pairs{{3, 6}}));
}

TEST(Eraser, AForgottenLockComesBackAsAnotherOne) {
  Running eraser("eraser");
  eraser.on(Op::Acquire, 0, 0).on(Op::Write, 0, 0).on(Op::Release, 0, 0);
  eraser.engine->forgetLock(0);
  eraser.on(Op::Acquire, 1, 0).on(Op::Write, 1, 0);
  EXPECT_EQ(eraser.pairs(), (Pairs{{1, 4}}));
}

TEST(Eraser, FoldForgetsTheSetsThatNobodyUsesAndNoOthers) {
  Running eraser("eraser");
  eraser.on(Op::Acquire, 0, 7).on(Op::Write, 0, 0);
  for (uint32_t lock = 10; lock < 1000; ++lock) eraser.on(Op::Acquire, 1, lock).on(Op::Release, 1, lock);
  size_t before = eraser.engine->memoryBytes();
  EXPECT_EQ(eraser.engine->fold(before - 1), 0u) << "no variable had to go";
  EXPECT_LT(eraser.engine->memoryBytes(), before);
  eraser.on(Op::Release, 0, 7).on(Op::Acquire, 1, 7).on(Op::Write, 1, 0);
  EXPECT_TRUE(eraser.races.empty());
  eraser.on(Op::Release, 1, 7).on(Op::Write, 1, 0);
  EXPECT_EQ(eraser.races.size(), 1u);
}

class ClockEngines : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(, ClockEngines, testing::Values("hb", "fasttrack", "shb", "eraser"),
                         [](const auto& name) { return std::string(name.param); });

TEST_P(ClockEngines, BatchesAreTheSameAsSingleEvents) {
  std::vector<Event> events = randomEvents(1, 2000, {.variables = 40});
  Running single(GetParam()), batches(GetParam());
  single.on(events);
  for (size_t i = 0; i < events.size(); i += 50) batches.engine->run(std::span(events).subspan(i, 50));
  EXPECT_FALSE(single.races.empty());
  EXPECT_EQ(batches.pairs(), single.pairs());
}

TEST_P(ClockEngines, ASplitVariableHasTheHistoryOfTheWhole) {
  Running r(GetParam());
  r.on(Op::Read, 0, 3).on(Op::Read, 1, 3);
  r.engine->splitVariable(3, 900);
  r.on(Op::Write, 2, 900);
  ASSERT_FALSE(r.races.empty());
  EXPECT_EQ(r.races[0].variable, 900u);
  EXPECT_LT(r.races[0].first.index, 2u);
}

TEST_P(ClockEngines, AForgottenVariableStartsAnew) {
  Running r(GetParam());
  r.on(Op::Read, 0, 3).on(Op::Read, 1, 3).on(Op::AtomicWrite, 1, 4);
  r.engine->forgetVariable(3);
  r.engine->forgetVariable(4);
  r.on(Op::Write, 2, 3).on(Op::Write, 2, 4);
  EXPECT_TRUE(r.races.empty());
}

TEST_P(ClockEngines, FoldForgetsTheOldestFirst) {
  Running r(GetParam());
  r.on(Op::Write, 0, 0).on(Op::Write, 0, 5000);
  size_t before = r.engine->memoryBytes();
  EXPECT_EQ(r.engine->fold(before - 1), 1u);
  EXPECT_LT(r.engine->memoryBytes(), before);
  r.on(Op::Write, 1, 0).on(Op::Write, 1, 5000);
  EXPECT_EQ(r.pairs(), (Pairs{{1, 3}}));
}

TEST_P(ClockEngines, FoldDoesNothingWithinTheLimit) {
  Running r(GetParam());
  r.on(Op::Write, 0, 0);
  EXPECT_EQ(r.engine->fold(r.engine->memoryBytes()), 0u);
  r.on(Op::Write, 1, 0);
  EXPECT_EQ(r.races.size(), 1u);
}

TEST_P(ClockEngines, MemoryDoesNotGrowWithTheNumberOfEvents) {
  RandomEvents random(5, {.threads = 6, .locks = 4, .variables = 300});
  Running r(GetParam());
  for (int i = 0; i < 100'000; ++i) r.engine->on(random.next());
  size_t before = r.engine->memoryBytes();
  for (int i = 0; i < 300'000; ++i) r.engine->on(random.next());
  EXPECT_LE(r.engine->memoryBytes(), before + before / 20);
}

TEST_P(ClockEngines, ThreadsThatComeAndGoDoNotWidenTheClocks) {
  Running r(GetParam());
  auto generations = [&](uint32_t from, uint32_t to) {
    for (uint32_t t = from; t < to; ++t)
      r.on(Op::Fork, 0, t).on(Op::Write, t, t % 16).on(Op::End, t, 0).on(Op::Join, 0, t);
  };
  generations(1, 1000);
  size_t before = r.engine->memoryBytes();
  generations(1000, 2000);
  EXPECT_LE(r.engine->memoryBytes(), before + 1000 * 200) << "what a late join of each needs";
}

}  // namespace
}  // namespace predrace
