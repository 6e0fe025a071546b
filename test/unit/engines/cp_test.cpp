// CpEngine on traces written down. Comparison with the definition: test/oracle/compare.py.
#include "runtime/engines/cp.h"

#include <gtest/gtest.h>

#include <vector>

#include "test/unit/engines/traces.h"

namespace predrace {
namespace {

// w(x) ordered by HB only: the sections of m do not conflict.
constexpr const char* kHidden =
    "T1:w(x)|1 T1:acq(m)|2 T1:w(y)|3 T1:rel(m)|4 T2:acq(m)|5 T2:w(z)|6 T2:rel(m)|7 T2:w(x)|8";
// The same, but they do.
constexpr const char* kConflicting =
    "T1:w(x)|1 T1:acq(m)|2 T1:w(y)|3 T1:rel(m)|4 T2:acq(m)|5 T2:w(y)|6 T2:rel(m)|7 T2:w(x)|8";

TEST(Cp, PredictsBehindAHandOver) {
  auto races = racesOf(kHidden);
  ASSERT_EQ(races.size(), 1u);
  EXPECT_EQ(pairsOf(races), (std::set<Pair>{{0, 7}}));
  const Race& r = races[0];
  EXPECT_FALSE(r.unordered);
  EXPECT_TRUE(r.firstOnVariable);
  EXPECT_EQ(r.first.thread, 0u);
  EXPECT_EQ(r.second.thread, 1u);
  EXPECT_EQ(r.handOver.lock, 0u);
  EXPECT_EQ(r.handOver.fromThread, 0u);
  EXPECT_EQ(r.handOver.toThread, 1u);
  EXPECT_EQ(r.handOver.releaseSite, 4u);
  EXPECT_EQ(r.handOver.acquireSite, 5u);
}

TEST(Cp, RuleA) { EXPECT_TRUE(racesOf(kConflicting).empty()); }

TEST(Cp, UnorderedIsADataRace) {
  auto races = racesOf("T1:w(x) T2:r(x)");
  ASSERT_EQ(races.size(), 1u);
  EXPECT_TRUE(races[0].unordered);
  EXPECT_EQ(races[0].handOver.lock, kNone);
}

TEST(Cp, HandOverIsTheEarliestThatCovers) {
  auto races = racesOf(
      "T1:w(x) T1:acq(a)|11 T1:rel(a)|12 T2:acq(a)|13 T2:rel(a)|14 T1:acq(b)|15 T1:rel(b)|16 T2:acq(b)|17 "
      "T2:rel(b)|18 "
      "T2:w(x)");
  ASSERT_EQ(races.size(), 1u);
  EXPECT_EQ(races[0].handOver.lock, 0u);
  EXPECT_EQ(races[0].handOver.releaseSite, 12u);
}

TEST(Cp, HandOverThroughAnotherThread) {
  auto races = racesOf(
      "T1:w(x) T1:acq(a) T1:rel(a) T2:acq(a) T2:rel(a) T2:acq(b) T2:rel(b) T3:acq(b) T3:rel(b) T3:w(x)");
  ASSERT_EQ(races.size(), 1u);
  EXPECT_EQ(races[0].handOver.lock, 1u) << "the step into the second thread";
  EXPECT_EQ(races[0].handOver.fromThread, 1u);
}

TEST(Cp, FirstOnItsVariableOnly) {
  auto races = racesOf("T1:w(x) T1:w(y) T2:w(x) T2:w(x) T2:w(y)");
  ASSERT_EQ(races.size(), 3u);
  EXPECT_TRUE(races[0].firstOnVariable);
  EXPECT_FALSE(races[1].firstOnVariable);
  EXPECT_TRUE(races[2].firstOnVariable);
}

TEST(Cp, LocksetsOfBothAccesses) {
  std::vector<Race> races;
  CpEngine engine(CpOptions(), [&](const Race& r) { races.push_back(r); });
  for (const Event& e : written("T1:acq(m) T1:racq(k) T1:w(x) T1:rrel(k) T1:rel(m) T2:w(x)").events)
    engine.on(e);
  engine.finish();
  ASSERT_EQ(races.size(), 1u);
  auto first = engine.locksets().locks(races[0].first.lockset);
  EXPECT_EQ(std::vector<uint32_t>(first.begin(), first.end()), (std::vector<uint32_t>{0 << 1, 1 << 1 | 1}));
  EXPECT_EQ(races[0].second.lockset, Locksets::kEmpty);
}

TEST(Cp, LocksetAfterReleasesOutOfOrder) {
  std::vector<Race> races;
  CpEngine engine(CpOptions(), [&](const Race& r) { races.push_back(r); });
  auto trace =
      written("T1:acq(a) T1:acq(b) T1:acq(c) T1:rel(a) T1:rel(c) T1:w(x) T1:rel(b) T1:w(y) T2:w(x) T2:w(y)");
  for (const Event& e : trace.events) engine.on(e);
  ASSERT_EQ(races.size(), 2u);
  EXPECT_EQ(engine.locksets().locks(races[0].first.lockset).size(), 1u);
  EXPECT_EQ(races[1].first.lockset, Locksets::kEmpty);
  EXPECT_FALSE(engine.wellNested());
}

TEST(Cp, WellNestedUntilItIsNot) {
  CpEngine engine(CpOptions(), [](const Race&) {});
  for (const Event& e : written("T1:acq(a) T1:racq(b) T2:racq(b) T1:rrel(b) T2:rrel(b) T1:rel(a)").events)
    engine.on(e);
  EXPECT_TRUE(engine.wellNested());
  for (const Event& e : written("T1:acq(a) T1:racq(b) T1:rel(a) T1:rrel(b)").events) engine.on(e);
  EXPECT_FALSE(engine.wellNested());
}

TEST(Cp, ReadersDoNotExcludeEachOther) {
  // Two shared sections are no hand-over, shared to exclusive is one.
  EXPECT_TRUE(racesOf("T1:w(x) T1:racq(k) T1:rrel(k) T2:racq(k) T2:rrel(k) T2:w(x)")[0].unordered);
  EXPECT_FALSE(racesOf("T1:w(x) T1:racq(k) T1:rrel(k) T2:acq(k) T2:rel(k) T2:w(x)")[0].unordered);
  EXPECT_TRUE(racesOf("T1:racq(k) T1:r(x) T1:rrel(k) T2:acq(k) T2:w(x) T2:rel(k)").empty());
}

TEST(Cp, HardOrder) {
  EXPECT_TRUE(racesOf("T1:w(x) T1:snd(c) T2:rcv(c) T2:w(x)").empty());
  EXPECT_FALSE(racesOf("T1:w(x) T2:rcv(c) T1:snd(c) T2:w(x)").empty());
  EXPECT_TRUE(racesOf("T1:w(x) T1:snd(c) T3:snd(c) T2:rcv(c) T2:w(x)").empty()) << "every earlier send";
  EXPECT_TRUE(racesOf("T1:w(x) T1:fork(T2) T2:w(x) T2:end T1:join(T2) T1:w(x)").empty());
}

TEST(Cp, AtomicsRaceWithPlainOnly) {
  EXPECT_TRUE(racesOf("T1:aw(x) T2:au(x) T3:ar(x)").empty());
  EXPECT_EQ(racesOf("T1:aw(x) T2:r(x)").size(), 1u);
  EXPECT_EQ(racesOf("T1:w(x) T2:ar(x)").size(), 1u);
  EXPECT_TRUE(racesOf("T1:r(x) T2:ar(x)").empty());
}

TEST(Cp, AtomicsAndAtConflictInRuleA) {
  EXPECT_TRUE(racesOf("T1:w(x) T1:acq(m) T1:ar(a) T1:rel(m) T2:acq(m) T2:ar(a) T2:rel(m) T2:w(x)").empty());
  EXPECT_TRUE(racesOf("T1:w(x) T1:acq(m) T1:at(o) T1:rel(m) T2:acq(m) T2:at(o) T2:rel(m) T2:w(x)").empty());
  EXPECT_EQ(racesOf("T1:w(x) T1:acq(m) T1:r(a) T1:rel(m) T2:acq(m) T2:r(a) T2:rel(m) T2:w(x)").size(), 1u);
}

// Raptor figure 5: the order of x's accesses comes out only when m ends.
TEST(Cp, ResolutionIsRetroactive) {
  EXPECT_TRUE(
      racesOf(
          "T1:acq(m) T1:acq(q) T1:rel(q) T3:acq(q) T3:rel(q) T3:acq(n) T3:w(y) T3:rel(n) T4:acq(n) T4:w(y) "
          "T4:rel(n) T1:w(x) T1:rel(m) T4:acq(m) T4:w(x) T4:rel(m)")
          .empty());
}

TEST(Cp, WaitsForOpenSectionsAndDecidesAtTheEnd) {
  // Raptor figure 6: z's check depends on the section of m that T3 still holds.
  const char* trace =
      "T1:w(z) T1:acq(m) T1:rel(m) T1:acq(q) T1:rel(q) T2:acq(q) T2:rel(q) T2:acq(n) T2:w(y) T2:rel(n) "
      "T3:acq(m) "
      "T3:acq(o) T3:rel(o) T4:acq(o) T4:rel(o) T4:w(z)";
  std::vector<Race> races;
  CpEngine engine(CpOptions(), [&](const Race& r) { races.push_back(r); });
  for (const Event& e : written(trace).events) engine.on(e);
  EXPECT_TRUE(races.empty());
  EXPECT_EQ(engine.stats().deferredNow, 1u);
  engine.finish();
  EXPECT_EQ(pairsOf(races), (std::set<Pair>{{0, 15}}));
  EXPECT_EQ(engine.stats().deferredNow, 0u);
  EXPECT_TRUE(racesOf(std::string(trace) + " T3:acq(n) T3:w(y) T3:rel(n) T3:rel(m)").empty());
}

TEST(Cp, RacesOfAVariableComeInOrderThoughTheirVerdictsDoNot) {
  // As above; then T5 races with T1 by HB, and T6 only in CP, both later on z.
  auto races = racesOf(
      "T1:w(z) T1:acq(m) T1:rel(m) T1:acq(p) T1:rel(p) T3:acq(m) T3:acq(o) T3:rel(o) T4:acq(o) T4:rel(o) "
      "T4:w(z) "
      "T6:acq(p) T6:rel(p) T6:w(z) T3:rel(m)");
  ASSERT_GE(races.size(), 2u);
  std::vector<uint64_t> ordered;
  for (const Race& r : races)
    if (!r.unordered) ordered.push_back(r.second.index);
  EXPECT_TRUE(std::is_sorted(ordered.begin(), ordered.end()));
  for (const Race& r : races)
    if (r.firstOnVariable) {
      EXPECT_EQ(r.second.index, 10u);
    }
}

TEST(Cp, EndReleasesWhatIsHeld) {
  EXPECT_TRUE(racesOf("T1:fork(T2) T2:acq(m) T2:w(x) T2:end T1:join(T2) T1:w(x)").empty());
  std::vector<Race> races;
  CpEngine engine(CpOptions(), [&](const Race& r) { races.push_back(r); });
  for (const Event& e : written("T1:acq(m) T1:w(x) T1:end").events) engine.on(e);
  engine.on({Op::Acquire, 1, 0, 0, 10});
  engine.on({Op::Write, 1, 0, 0, 11});
  EXPECT_TRUE(races.empty()) << "a robust mutex passes on";
}

TEST(Cp, SplitVariableHasTheWholeHistory) {
  std::vector<Race> races;
  CpEngine engine(CpOptions(), [&](const Race& r) { races.push_back(r); });
  engine.on({Op::Acquire, 0, 0, 0, 0});
  engine.on({Op::Write, 0, 0, 0, 1});
  engine.on({Op::Release, 0, 0, 0, 2});
  engine.on({Op::Write, 0, 5, 0, 3});
  engine.splitVariable(0, 1);
  engine.splitVariable(5, 6);
  engine.on({Op::Acquire, 1, 0, 0, 4});
  engine.on({Op::Write, 1, 1, 0, 5});  // rule (a) through the copy
  engine.on({Op::Release, 1, 0, 0, 6});
  EXPECT_TRUE(races.empty());
  engine.on({Op::Write, 1, 6, 0, 7});
  EXPECT_EQ(pairsOf(races), (std::set<Pair>{{3, 7}}));
}

TEST(Cp, ForgottenNumbersStartAnew) {
  std::vector<Race> races;
  CpEngine engine(CpOptions(), [&](const Race& r) { races.push_back(r); });
  engine.on({Op::Write, 0, 0, 0, 0});
  engine.forgetVariable(0);
  engine.on({Op::Write, 1, 0, 0, 1});
  EXPECT_TRUE(races.empty());
  engine.on({Op::Send, 0, 3, 0, 2});
  engine.forgetChannel(3);
  engine.on({Op::Write, 0, 1, 0, 3});
  engine.on({Op::Send, 0, 4, 0, 4});
  engine.on({Op::Receive, 1, 3, 0, 5});
  engine.on({Op::Write, 1, 1, 0, 6});
  EXPECT_EQ(races.size(), 1u) << "the channel's sends are forgotten";
  engine.on({Op::Acquire, 0, 9, 0, 7});
  engine.on({Op::Write, 0, 2, 0, 8});
  engine.on({Op::Release, 0, 9, 0, 9});
  engine.forgetLock(9);
  engine.on({Op::Acquire, 1, 9, 0, 10});
  engine.on({Op::Write, 1, 2, 0, 11});
  engine.on({Op::Release, 1, 9, 0, 12});
  EXPECT_EQ(races.size(), 2u) << "another lock of the same number orders nothing";
}

TEST(Cp, ThreadsInTurnShareALane) {
  CpEngine engine(CpOptions(), [](const Race&) { FAIL(); });
  uint64_t index = 0;
  size_t early = 0;
  for (uint32_t t = 1; t <= 100000; ++t) {
    engine.on({Op::Fork, 0, t, 0, index++});
    engine.on({Op::Begin, t, 0, 0, index++});
    engine.on({Op::Acquire, t, t % 4, 0, index++});
    engine.on({Op::Write, t, t % 4, 0, index++});
    engine.on({Op::Release, t, t % 4, 0, index++});
    engine.on({Op::SharedAcquire, t, 9, 0, index++});
    engine.on({Op::Read, t, 9, 0, index++});
    engine.on({Op::SharedRelease, t, 9, 0, index++});
    engine.on({Op::Write, t, 100, 0, index++});
    engine.on({Op::End, t, 0, 0, index++});
    engine.on({Op::Join, 0, t, 0, index++});
    if (t == 10000) early = engine.memoryBytes();
  }
  EXPECT_LE(engine.stats().lanes, 2u);
  EXPECT_LT(engine.memoryBytes(), early + 100000 * 80u) << "a few words per thread: who had which lane";
}

TEST(Cp, ThreadsThatNobodyWaitsForAreBounded) {
  CpEngine engine({.idle_threads = 64}, [](const Race&) {});
  uint64_t index = 0;
  for (uint32_t t = 1; t <= 20000; ++t) {
    engine.on({Op::Fork, 0, t, 0, index++});
    engine.on({Op::Write, t, t, 0, index++});
    engine.on({Op::End, t, 0, 0, index++});
  }
  EXPECT_LE(engine.stats().lanes, 200u);
}

}  // namespace
}  // namespace predrace
