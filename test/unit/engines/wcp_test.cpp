// WcpEngine on traces written down, and its memory. Comparison with the definition:
// test/oracle/compare.py.
#include "runtime/engines/wcp.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "test/unit/engines/traces.h"
#include "tools/engine_bench/workload.h"

namespace predrace {
namespace {

struct Collected {
  std::vector<Race> races;
  WcpEngine engine;
  explicit Collected(WcpOptions options = {})
      : engine(options, [this](const Race& r) { races.push_back(r); }) {}
};

std::vector<Race> wcpRaces(std::string_view text, WcpOptions options = {}) {
  Collected c(options);
  for (const Event& e : written(text).events) c.engine.on(e);
  c.engine.finish();
  return c.races;
}

TEST(Wcp, PredictsBehindAHandOver) {
  auto races = wcpRaces("T1:w(x) T1:acq(m) T1:w(y) T1:rel(m) T2:acq(m) T2:w(z) T2:rel(m) T2:w(x)");
  ASSERT_EQ(pairsOf(races), (std::set<Pair>{{0, 7}}));
  EXPECT_FALSE(races[0].unordered);
  EXPECT_TRUE(races[0].firstOnVariable);
  EXPECT_EQ(races[0].first.thread, 0u);
  EXPECT_EQ(races[0].second.thread, 1u);
}

TEST(Wcp, RuleAOrdersTheConflictingAccessAndNotTheSection) {
  const std::string first = "T1:w(x) T1:acq(m) T1:w(y) T1:rel(m) T2:acq(m) ";
  EXPECT_TRUE(wcpRaces(first + "T2:w(y) T2:w(x) T2:rel(m)").empty());
  EXPECT_EQ(pairsOf(wcpRaces(first + "T2:w(x) T2:w(y) T2:rel(m)")), (std::set<Pair>{{0, 5}}))
      << "causally-precedes would order this one";
}

TEST(Wcp, RuleBOrdersReleases) {
  // acq(m) of T1 is before w(y) of T2; so T1's rel(m), which its w(x) is before, is before T2's.
  const std::string first = "T1:acq(m) T1:acq(n) T1:w(y) T1:rel(n) T1:w(x) T1:rel(m) T2:acq(n) ";
  EXPECT_TRUE(wcpRaces(first + "T2:w(y) T2:rel(n) T2:acq(m) T2:rel(m) T2:w(x)").empty());
  EXPECT_EQ(wcpRaces(first + "T2:w(z) T2:rel(n) T2:acq(m) T2:rel(m) T2:w(x)").size(), 1u);
}

TEST(Wcp, AThreadsOwnOrderIsNoReasonForRuleB) {
  EXPECT_EQ(
      wcpRaces(
          "T2:w(x) T2:acq(k) T2:rel(k) T1:acq(k) T1:rel(k) T1:acq(m) T1:rel(m) T1:acq(m) T1:rel(m) T1:w(x)")
          .size(),
      1u);
}

TEST(Wcp, EveryRacyEventIsReportedNotOnlyTheFirst) {
  auto races = wcpRaces("T1:w(x) T2:w(x) T2:w(x) T3:r(x)");
  EXPECT_EQ(secondsOf(races), (std::set<uint64_t>{1, 2, 3}));
  EXPECT_EQ(std::ranges::count_if(races, &Race::firstOnVariable), 1);
}

TEST(Wcp, ReadersDoNotExcludeEachOther) {
  EXPECT_TRUE(wcpRaces("T1:w(x) T1:racq(k) T1:rrel(k) T2:racq(k) T2:rrel(k) T2:w(x)")[0].unordered);
  EXPECT_FALSE(wcpRaces("T1:w(x) T1:racq(k) T1:rrel(k) T2:acq(k) T2:rel(k) T2:w(x)")[0].unordered);
  EXPECT_TRUE(wcpRaces("T1:racq(k) T1:r(x) T1:rrel(k) T2:acq(k) T2:w(x) T2:rel(k)").empty());
  EXPECT_TRUE(wcpRaces("T1:acq(k) T1:w(x) T1:rel(k) T2:racq(k) T2:r(x) T2:rrel(k)").empty());
}

TEST(Wcp, HardOrder) {
  EXPECT_TRUE(wcpRaces("T1:w(x) T1:snd(c) T2:rcv(c) T2:w(x)").empty());
  EXPECT_FALSE(wcpRaces("T1:w(x) T2:rcv(c) T1:snd(c) T2:w(x)").empty());
  EXPECT_TRUE(wcpRaces("T1:w(x) T1:snd(c) T3:snd(c) T2:rcv(c) T2:w(x)").empty()) << "every earlier send";
  EXPECT_TRUE(wcpRaces("T1:w(x) T1:fork(T2) T2:w(x) T2:end T1:join(T2) T1:w(x)").empty());
}

TEST(Wcp, AtomicsAndAtConflictInRuleA) {
  auto behind = [](const std::string& first, const std::string& second) {
    return wcpRaces("T1:w(x) T1:acq(m) T1:" + first + " T1:rel(m) T2:acq(m) T2:" + second +
                    " T2:rel(m) T2:w(x)")
        .size();
  };
  EXPECT_EQ(behind("ar(a)", "ar(a)"), 0u);
  EXPECT_EQ(behind("at(o)", "at(o)"), 0u);
  EXPECT_EQ(behind("r(a)", "r(a)"), 1u);
  EXPECT_EQ(behind("r(a)", "ar(a)"), 1u);
}

TEST(Wcp, EndReleasesWhatIsHeld) {
  Collected c;
  for (const Event& e : written("T1:acq(m) T1:w(x) T1:end").events) c.engine.on(e);
  c.engine.on({Op::Acquire, 1, 0, 0, 10});
  c.engine.on({Op::Write, 1, 0, 0, 11});
  EXPECT_TRUE(c.races.empty()) << "a robust mutex passes on";
}

TEST(Wcp, RunIsOnForEachEvent) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    RandomEvents random(seed, {});
    std::vector<Event> events;
    while (events.size() < 200) events.push_back(random.next());
    Collected one, batch;
    for (const Event& e : events) one.engine.on(e);
    batch.engine.run(events);
    EXPECT_EQ(pairsOf(one.races), pairsOf(batch.races)) << seed;
  }
}

TEST(Wcp, SplitVariableHasTheWholeHistory) {
  Collected c;
  c.engine.on({Op::Acquire, 0, 0, 0, 0});
  c.engine.on({Op::Write, 0, 0, 0, 1});
  c.engine.on({Op::Release, 0, 0, 0, 2});
  c.engine.on({Op::Write, 0, 5, 0, 3});
  c.engine.splitVariable(0, 1);
  c.engine.splitVariable(5, 6);
  c.engine.on({Op::Acquire, 1, 0, 0, 4});
  c.engine.on({Op::Write, 1, 1, 0, 5});  // rule (a) through the copy
  c.engine.on({Op::Release, 1, 0, 0, 6});
  EXPECT_TRUE(c.races.empty());
  c.engine.on({Op::Write, 1, 6, 0, 7});
  EXPECT_EQ(pairsOf(c.races), (std::set<Pair>{{3, 7}}));
}

TEST(Wcp, ForgottenVariableStartsAnew) {
  Collected c;
  c.engine.on({Op::Write, 0, 0, 0, 0});
  c.engine.forgetVariable(0);
  c.engine.on({Op::Write, 1, 0, 0, 1});
  EXPECT_TRUE(c.races.empty());
}

TEST(Wcp, ForgottenChannelAndLockOrderNothing) {
  Collected c;
  c.engine.on({Op::Write, 0, 1, 0, 0});
  c.engine.on({Op::Send, 0, 3, 0, 1});
  c.engine.forgetChannel(3);
  c.engine.on({Op::Receive, 1, 3, 0, 2});
  c.engine.on({Op::Write, 1, 1, 0, 3});
  EXPECT_EQ(pairsOf(c.races), (std::set<Pair>{{0, 3}}));
  c.engine.on({Op::Acquire, 0, 9, 0, 4});
  c.engine.on({Op::Write, 0, 2, 0, 5});
  c.engine.forgetLock(9);  // while held: its section ends
  c.engine.on({Op::Acquire, 1, 9, 0, 6});
  c.engine.on({Op::Write, 1, 2, 0, 7});
  EXPECT_EQ(pairsOf(c.races), (std::set<Pair>{{0, 3}, {5, 7}}));
}

TEST(Wcp, ForgottenObjectOrdersNothing) {
  Collected c;
  for (const Event& e : written("T1:w(x) T1:acq(m) T1:at(o) T1:rel(m)").events) c.engine.on(e);
  c.engine.forgetObject(0);
  c.engine.on({Op::Acquire, 1, 0, 0, 4});
  c.engine.on({Op::At, 1, 0, 0, 5});
  c.engine.on({Op::Write, 1, 0, 0, 6});
  EXPECT_EQ(pairsOf(c.races), (std::set<Pair>{{0, 6}}));
}

// `own_locks` is the case in which no section is ever ordered before another.
TEST(Wcp, MemoryDoesNotGrowWithTheTrace) {
  for (const char* shape : {"ordinary_64", "own_locks", "nested", "shared_locks", "long_held_races"}) {
    WcpEngine engine({.sections = 256}, [](const Race&) {});
    Workload workload(*findShape(shape));
    size_t early = 0, late = 0;
    for (int i = 0; i < 1000000; ++i) {
      engine.on(workload.next());
      size_t& most = i < 200000 ? early : late;
      if (i % 64 == 0) most = std::max(most, engine.memoryBytes());
    }
    EXPECT_LE(late, early + early / 4) << shape;
  }
}

TEST(Wcp, ThreadsInTurnShareALane) {
  WcpEngine engine({}, [](const Race&) { FAIL(); });
  uint64_t index = 0;
  size_t early = 0;
  for (uint32_t t = 1; t <= 50000; ++t) {
    for (Event e :
         {Event{Op::Fork, 0, t, 0, 0}, Event{Op::Acquire, t, t % 4, 0, 0}, Event{Op::Write, t, t % 4, 0, 0},
          Event{Op::Release, t, t % 4, 0, 0}, Event{Op::SharedAcquire, t, 9, 0, 0},
          Event{Op::Read, t, 9, 0, 0}, Event{Op::SharedRelease, t, 9, 0, 0}, Event{Op::Write, t, 100, 0, 0},
          Event{Op::End, t, 0, 0, 0}, Event{Op::Join, 0, t, 0, 0}}) {
      e.index = index++;
      engine.on(e);
    }
    if (t == 5000) early = engine.memoryBytes();
  }
  EXPECT_LT(engine.memoryBytes(), early + 50000 * 80u) << "a few words per thread: who had which lane";
}

TEST(Wcp, FoldMakesRoomAndInventsNothing) {
  size_t kept = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    RandomEvents random(seed, {});
    Collected exact, folded;
    for (int i = 0; i < 150; ++i) {
      Event e = random.next();
      exact.engine.on(e);
      folded.engine.on(e);
      if (i % 16) continue;
      size_t before = folded.engine.memoryBytes();
      folded.engine.fold(before / 2);
      EXPECT_LE(folded.engine.memoryBytes(), before);
    }
    kept += folded.races.size();
    std::set<uint64_t> all = secondsOf(exact.races);
    for (uint64_t second : secondsOf(folded.races)) EXPECT_TRUE(all.contains(second)) << seed;
  }
  EXPECT_GT(kept, 300u) << "it still finds races";
}

TEST(Wcp, FoldReturnsWhatItForgot) {
  WcpEngine engine({}, [](const Race&) {});
  Workload workload(*findShape("own_locks"));
  for (int i = 0; i < 20000; ++i) engine.on(workload.next());
  size_t before = engine.memoryBytes();
  EXPECT_EQ(engine.fold(before), 0u);
  EXPECT_GT(engine.fold(0), 0u);
  EXPECT_LT(engine.memoryBytes(), before / 4);
}

}  // namespace
}  // namespace predrace
