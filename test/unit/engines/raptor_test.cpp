// RaptorEngine: the paper's figures, where it departs from the paper, and what live use needs.
// Comparison with the definition: test/oracle/compare.py.
#include "runtime/engines/raptor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "test/unit/engines/traces.h"

namespace predrace {
namespace {

struct Analysed {
  std::vector<Race> races;
  RaptorEngine engine{[this](const Race& r) { races.push_back(r); }};

  Analysed() = default;
  explicit Analysed(std::string_view text) { engine.run(written(text).events); }
};

std::set<Pair> pairs(std::string_view text) {
  Analysed run(text);
  run.engine.finish();
  return pairsOf(run.races);
}

const std::set<Pair> kNoPairs;

TEST(Raptor, Figure1) {
  EXPECT_EQ(pairs("T1:w(x) T1:acq(m) T1:w(y) T1:rel(m) T2:acq(m) T2:w(z) T2:rel(m) T2:w(x)"),
            (std::set<Pair>{{0, 7}}));
  EXPECT_EQ(pairs("T1:w(x) T1:acq(m) T1:w(y) T1:rel(m) T2:acq(m) T2:w(y) T2:rel(m) T2:w(x)"), kNoPairs);
}

// Figure 2, and section 3: the same with T1's sections exchanged.
constexpr const char* kFigure2Rest =
    "T2:acq(t) T2:rel(t) T2:acq(n) T2:rel(n) T2:acq(q) T2:w(y) T2:rel(q) T3:acq(n) T3:acq(r) T3:rel(r) "
    "T4:acq(m) T4:acq(s) T4:rel(s) T4:acq(r) T4:rel(r) T4:rel(m) T5:acq(s) T5:rel(s) T5:w(x) T3:acq(q) "
    "T3:w(y) T3:rel(q) T3:rel(n)";

TEST(Raptor, Figure2) {
  std::string ordered = "T1:w(x) T1:acq(m) T1:rel(m) T1:acq(t) T1:rel(t) ";
  std::string racing = "T1:w(x) T1:acq(t) T1:rel(t) T1:acq(m) T1:rel(m) ";
  EXPECT_EQ(pairs(ordered + kFigure2Rest), kNoPairs);
  EXPECT_EQ(pairs(racing + kFigure2Rest), (std::set<Pair>{{0, 23}}));
}

TEST(Raptor, Figure5OrderKnownBeforeTheAccesses) {
  EXPECT_EQ(pairs("T1:acq(m) T1:acq(q) T1:rel(q) T3:acq(q) T3:rel(q) T3:acq(n) T3:w(y) T3:rel(n) T4:acq(n) "
                  "T4:w(y) T4:rel(n) T1:w(x) T1:rel(m) T4:acq(m) T4:w(x) T4:rel(m)"),
            kNoPairs);
}

// Figures 6 and 7 differ in the order of T1's sections.
TEST(Raptor, Figures6And7OrderKnownOnlyAfterwards) {
  std::string rest =
      "T2:acq(q) T2:rel(q) T2:acq(n) T2:w(y) T2:rel(n) T3:acq(m) T3:acq(o) T3:rel(o) T4:acq(o) T4:rel(o) "
      "T4:w(z) T3:acq(n) T3:w(y) T3:rel(n) T3:rel(m)";
  EXPECT_EQ(pairs("T1:w(z) T1:acq(m) T1:rel(m) T1:acq(q) T1:rel(q) " + rest), kNoPairs);
  EXPECT_EQ(pairs("T1:w(z) T1:acq(q) T1:rel(q) T1:acq(m) T1:rel(m) " + rest), (std::set<Pair>{{0, 15}}));
}

TEST(Raptor, Figure8ChainOfConditions) {
  EXPECT_EQ(pairs("T1:w(x) T1:acq(m) T1:rel(m) T1:acq(o) T1:rel(o) T1:acq(q) T1:w(y) T1:rel(q) T2:acq(o) "
                  "T3:acq(m) T3:acq(p) T3:rel(p) T2:acq(r) T2:rel(r) T3:acq(r) T3:rel(r) T3:rel(m) T4:acq(p) "
                  "T4:rel(p) T4:w(x) T2:acq(q) T2:w(y) T2:rel(q) T2:rel(o)"),
            kNoPairs);
}

// What one owner of m gains at the release is what another one, or itself, waits for.
TEST(Raptor, RuleBIsAppliedUntilNothingChanges) {
  EXPECT_EQ(pairs("T1:acq(n) T1:acq(m) T1:w(y) T1:rel(m) T1:w(x) T1:acq(m) T1:rel(m) T1:rel(n) T2:acq(m) "
                  "T2:w(x) T2:w(y) T2:acq(n) T2:rel(n) T2:rel(m)"),
            kNoPairs);
}

// Algorithm 8 as published resets the locksets of T1's first read, and rule (a) is lost.
TEST(Raptor, AReadOutsideDoesNotUndoTheOneInside) {
  EXPECT_EQ(pairs("T1:w(z) T1:acq(m) T1:r(x) T1:rel(m) T1:r(x) T2:acq(m) T2:w(x) T2:rel(m) T2:w(z)"),
            (std::set<Pair>{{4, 6}}))
      << "z is ordered by rule (a) for x";
}

// Algorithm 8 as published marks again at T2's second read, which rule (a) orders by y, while the
// first one still waits for the end of n.
TEST(Raptor, ALaterReadDoesNotSaveAnEarlierOne) {
  EXPECT_EQ(
      pairs("T1:w(x) T1:acq(m) T1:w(y) T1:rel(m) T1:acq(n) T1:rel(n) T2:acq(n) T2:r(x) T2:acq(m) T2:w(y) "
            "T2:rel(m) T2:r(x) T2:rel(n)"),
      (std::set<Pair>{{0, 7}}));
}

TEST(Raptor, ReadsDoNotRaceWithEachOther) {
  EXPECT_EQ(pairs("T1:r(x) T2:r(x) T3:ar(x)"), kNoPairs);
  EXPECT_EQ(pairs("T1:r(x) T2:r(x) T3:w(x)"), (std::set<Pair>{{0, 2}, {1, 2}}));
}

TEST(Raptor, AtomicsRaceWithPlainAccessesOnly) {
  EXPECT_EQ(pairs("T1:aw(x) T2:au(x) T3:r(x)"), (std::set<Pair>{{0, 2}, {1, 2}}));
}

TEST(Raptor, HardOrderIsCausal) {
  EXPECT_EQ(pairs("T1:w(x) T1:snd(c) T2:rcv(c) T2:w(x)"), kNoPairs);
  EXPECT_EQ(pairs("T1:w(x) T1:fork(T2) T2:w(x) T1:join(T2) T1:w(x)"), kNoPairs);
  EXPECT_EQ(pairs("T1:snd(c) T1:w(x) T2:rcv(c) T2:w(x)"), (std::set<Pair>{{1, 3}}));
}

TEST(Raptor, KeptOrderIsAConflictInSections) {
  constexpr const char* kTrace = "T1:w(x) T1:acq(m) T1:at(o) T1:rel(m) T2:acq(m) T2:at(%) T2:rel(m) T2:w(x)";
  std::string same = kTrace, other = kTrace;
  same.replace(same.find('%'), 1, "o");
  other.replace(other.find('%'), 1, "p");
  EXPECT_EQ(pairs(same), kNoPairs);
  EXPECT_EQ(pairs(other), (std::set<Pair>{{0, 7}}));
}

// T2 reads under the lock for the first time after T1 has written under it.
TEST(Raptor, ANewReaderHasTheWritersHistory) {
  EXPECT_EQ(pairs("T1:w(z) T1:acq(l) T1:w(x) T1:rel(l) T2:racq(l) T2:r(x) T2:rrel(l) T2:w(z)"), kNoPairs);
  EXPECT_EQ(pairs("T1:racq(l) T1:w(x) T1:rrel(l) T2:racq(l) T2:w(x) T2:rrel(l)"), (std::set<Pair>{{1, 4}}));
}

TEST(Raptor, UnorderedIsByHappensBefore) {
  Analysed hidden("T1:w(x) T1:acq(m) T1:rel(m) T2:acq(m) T2:rel(m) T2:w(x)");
  ASSERT_EQ(hidden.races.size(), 1u);
  EXPECT_FALSE(hidden.races[0].unordered);
  Analysed plain("T1:w(x) T2:w(x)");
  ASSERT_EQ(plain.races.size(), 1u);
  EXPECT_TRUE(plain.races[0].unordered);
}

TEST(Raptor, DecidesAtTheReleaseAtTheLatest) {
  Analysed run("T1:w(x) T1:acq(m) T1:rel(m) T2:acq(m) T2:w(x)");
  EXPECT_TRUE(run.races.empty()) << "T2 may still touch what T1 did under m";
  run.engine.on({Op::Release, 1, 0, 0, 10});
  EXPECT_EQ(pairsOf(run.races), (std::set<Pair>{{0, 4}}));
}

// Longer than what the definition can be asked about.
TEST(Raptor, LongRunsHaveTheFirstRacesOfCp) {
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    RandomEvents random(seed, {.threads = 5,
                               .locks = 5,
                               .variables = 60,
                               .extras = seed % 2 ? 0.02 : 0.1,
                               .nested = seed % 3 != 0});
    std::vector<Event> events;
    for (int i = 0; i < 3000; ++i) events.push_back(random.next());
    Analysed run;
    run.engine.run(events);
    run.engine.finish();
    auto firsts = [](const std::vector<Race>& races) {
      std::map<uint32_t, uint64_t> out;
      for (const Race& r : races) {
        uint64_t& first = out.try_emplace(r.variable, r.second.index).first->second;
        first = std::min(first, r.second.index);
      }
      return out;
    };
    EXPECT_FALSE(run.races.empty());
    EXPECT_EQ(firsts(run.races), firsts(racesOf(events))) << "seed " << seed;
  }
}

TEST(Raptor, OwnersDoNotGrowWithTheRun) {
  RandomEvents random(1, {.threads = 4, .locks = 4, .variables = 4, .extras = 0});
  Analysed run;
  size_t most = 0;
  for (int i = 0; i < 20000; ++i) {
    run.engine.on(random.next());
    most = std::max(most, run.engine.owners());
  }
  EXPECT_LE(most, 1000u);
}

TEST(Raptor, JoinedThreadsLeaveNothing) {
  Analysed run;
  run.engine.on({Op::Write, 0, 0, 0, 0});
  size_t early = 0;
  for (uint32_t child = 1; child <= 1000; ++child) {
    run.engine.on({Op::Fork, 0, child, 0, child * 3 + 0});
    run.engine.on({Op::Write, child, 0, 0, child * 3 + 1});
    run.engine.on({Op::Join, 0, child, 0, child * 3 + 2});
    if (child == 10) early = run.engine.memoryBytes();
  }
  EXPECT_TRUE(run.races.empty());
  EXPECT_LE(run.engine.memoryBytes(), early + 1000 * 2 * (sizeof(uint32_t) + 1) + 200);
}

TEST(Raptor, ASplitVariableHasTheWholeHistory) {
  Analysed run("T1:w(x) T2:w(z)");
  run.engine.splitVariable(0, 7);
  run.engine.forgetVariable(0);
  run.engine.on({Op::Write, 1, 0, 0, 10});
  run.engine.on({Op::Write, 1, 7, 0, 11});
  EXPECT_EQ(pairsOf(run.races), (std::set<Pair>{{0, 11}}));
}

TEST(Raptor, AForgottenVariablesChecksAreDecided) {
  Analysed run("T1:w(x) T1:acq(m) T1:rel(m) T2:acq(m) T2:w(x)");
  run.engine.forgetVariable(0);
  run.engine.on({Op::Write, 2, 0, 0, 9});
  run.engine.on({Op::Release, 1, 0, 0, 10});
  EXPECT_EQ(pairsOf(run.races), (std::set<Pair>{{0, 4}})) << "and the new variable has no history";
}

TEST(Raptor, AForgottenLockOrUsedUpChannelOrdersNothing) {
  Analysed run("T1:w(x) T1:acq(l) T1:rel(l) T1:snd(c)");
  run.engine.forgetLock(0);
  run.engine.forgetChannel(0);
  run.engine.on({Op::Acquire, 1, 0, 0, 10});
  run.engine.on({Op::Receive, 1, 0, 0, 11});
  run.engine.on({Op::Write, 1, 0, 0, 12});
  ASSERT_EQ(pairsOf(run.races), (std::set<Pair>{{0, 12}}));
  EXPECT_TRUE(run.races[0].unordered);
}

// What is before the fold is ordered before all later, the sections then open included.
TEST(Raptor, FoldingOnlyAddsOrder) {
  Analysed run("T1:w(x) T1:acq(m) T1:w(y)");
  size_t before = run.engine.memoryBytes();
  EXPECT_EQ(run.engine.fold(before), 0u);
  EXPECT_EQ(run.engine.fold(0), 3u);
  EXPECT_LT(run.engine.memoryBytes(), before);
  run.engine.on({Op::Write, 0, 2, 0, 10});
  run.engine.on({Op::Release, 0, 0, 0, 11});
  run.engine.on({Op::Acquire, 1, 0, 0, 12});
  run.engine.on({Op::Write, 1, 1, 0, 13});
  run.engine.on({Op::Release, 1, 0, 0, 14});
  for (uint32_t variable = 0; variable < 3; ++variable)
    run.engine.on({Op::Write, 1, variable, 0, 15 + variable});
  EXPECT_TRUE(run.races.empty());
  run.engine.on({Op::Write, 2, 0, 0, 20});
  EXPECT_EQ(pairsOf(run.races), (std::set<Pair>{{15, 20}}));
}

}  // namespace
}  // namespace predrace
