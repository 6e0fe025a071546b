#include "runtime/engines/m2.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/engines/check.h"
#include "runtime/engines/m2_decision.h"
#include "test/unit/engines/traces.h"

namespace predrace {
namespace {

struct Found {
  std::set<Pair> pairs;
  M2Engine::Counts counts;
  std::string notes;
};

// What m2 says about the events. Every race must have a schedule that the checker accepts.
Found m2(const std::vector<Event>& events) {
  Found out;
  WitnessChecker checker(events);
  M2Engine engine([&](const Race& r) {
    out.pairs.emplace(r.first.index, r.second.index);
    ASSERT_NE(r.witness, nullptr);
    EXPECT_EQ(checker.check(r.witness->schedule(), r.first.index, r.second.index), "");
  });
  engine.run(events);
  engine.finish();
  out.counts = engine.counts();
  out.notes = engine.notes();
  return out;
}
Found m2(std::string_view text) { return m2(written(text).events); }

// The paper's figures; events count from 0 here.
TEST(M2, Figure1a) {
  EXPECT_EQ(m2("1:acq(l) 1:w(x) 1:rel(l) 2:acq(l) 2:w(x) 2:rel(l) 2:r(x)").pairs, (std::set<Pair>{{1, 6}}));
}

TEST(M2, Figure1b) {
  EXPECT_EQ(m2("1:acq(l1) 1:w(x) 1:w(y) 1:rel(l1) 2:acq(l1) 2:acq(l2) 2:w(z) 2:rel(l2) 2:w(y) 2:rel(l1) "
               "3:acq(l2) 3:r(z) 3:rel(l2) 3:w(x)")
                .pairs,
            (std::set<Pair>{{1, 13}}));
}

TEST(M2, Figure6) {
  Found found = m2("1:acq(l) 1:w(x) 1:rel(l) 2:acq(l) 2:w(y) 2:rel(l) 1:w(z) 2:r(z) 3:r(y) 3:w(x)");
  EXPECT_EQ(found.pairs, (std::set<Pair>{{1, 9}, {4, 8}, {6, 7}}));
}

TEST(M2, Figure7) {
  Found found =
      m2("1:w(x) 1:acq(l2) 1:acq(l1) 1:w(x) 1:rel(l1) 1:w(z) 1:rel(l2) 2:acq(l2) 2:w(x) 2:rel(l2) "
         "3:acq(l2) 3:rel(l2) 3:acq(l1) 3:r(x) 3:rel(l1) 3:w(z)");
  EXPECT_TRUE(found.pairs.contains({5, 15}));
}

TEST(M2, Figure8IsNoRace) {
  Found found = m2(
      "2:w(y) 1:acq(l) 1:w(x) 1:r(y) 1:w(z) 1:rel(l) 2:acq(l) 2:w(x) 2:rel(l) 3:r(x) 3:w(y) 3:r(x) 3:r(z)");
  EXPECT_FALSE(found.pairs.contains({4, 12}));
  EXPECT_GT(found.counts.refused + found.counts.uncertain, 0u);
}

TEST(M2, ACommonLockExcludes) {
  Found found = m2("1:acq(l) 1:w(x) 1:rel(l) 2:acq(l) 2:w(x) 2:rel(l)");
  EXPECT_TRUE(found.pairs.empty());
  EXPECT_TRUE(found.counts.complete());
}

TEST(M2, ReadersExcludeWritersOnly) {
  EXPECT_EQ(m2("1:racq(l) 1:w(x) 1:rrel(l) 2:racq(l) 2:w(x) 2:rrel(l)").pairs, (std::set<Pair>{{1, 4}}));
  EXPECT_TRUE(m2("1:racq(l) 1:w(x) 1:rrel(l) 2:acq(l) 2:w(x) 2:rel(l)").pairs.empty());
}

// The flag races; what it guards does not.
TEST(M2, ValuesReadMustStay) { EXPECT_EQ(m2("1:w(x) 1:w(f) 2:r(f) 2:w(x)").pairs, (std::set<Pair>{{1, 2}})); }

TEST(M2, NoOtherOrderOfKeptOperations) { EXPECT_TRUE(m2("1:w(x) 1:at(o) 2:at(o) 2:w(x)").pairs.empty()); }

TEST(M2, TwoThreadsAreDecidedForCertain) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    RandomEvents random(seed, {.threads = 2, .locks = 2, .variables = 2});
    std::vector<Event> events;
    for (int k = 0; k < 40; ++k) events.push_back(random.next());
    EXPECT_TRUE(m2(events).counts.complete()) << seed;
  }
}

TEST(M2, CountsWhatItMayHaveMissed) {
  Found found;
  for (uint64_t seed = 0; seed < 300 && found.counts.complete(); ++seed) {
    RandomEvents random(seed, {.threads = 4, .locks = 2, .variables = 2});
    std::vector<Event> events;
    for (int k = 0; k < 60; ++k) events.push_back(random.next());
    found = m2(events);
  }
  EXPECT_FALSE(found.counts.complete());
  EXPECT_NE(found.notes.find(std::to_string(found.counts.uncertain) + " might still"), std::string::npos);
}

// A window of the trace gives the verdict of the whole, and as good a schedule.
TEST(M2, WindowsDecideAsTheWholeTrace) {
  uint32_t reordered = 0;
  for (uint64_t seed = 0; seed < 150; ++seed) {
    RandomEvents random(seed, {.threads = 4, .locks = 3, .variables = 4, .nested = seed % 2 == 0});
    std::vector<Event> events;
    for (int k = 0; k < 120; ++k) events.push_back(random.next());
    WitnessChecker checker(events);
    RecordedTrace trace(events);
    m2::Decision windows(trace, 0), whole(trace, 1000);
    for (uint32_t j = 0; j < trace.size(); ++j) {
      for (uint32_t i = 0; i < j; ++i) {
        const Event &a = trace.event(i), &b = trace.event(j);
        bool conflict = isAccess(a.op) && isAccess(b.op) && a.target == b.target && a.thread != b.thread &&
                        (writes(a.op) || writes(b.op)) && !(isAtomic(a.op) && isAtomic(b.op));
        if (!conflict || trace.mustPrecede(i, j)) continue;
        bool race = windows.decide(i, j).race;
        ASSERT_EQ(race, whole.decide(i, j).race) << "seed " << seed << ": " << i << ", " << j;
        if (!race) continue;
        std::vector<uint32_t> ids = windows.schedule();
        ASSERT_EQ(checker.check(std::vector<uint64_t>(ids.begin(), ids.end()), i, j), "");
        reordered += !std::ranges::is_sorted(ids);
      }
    }
  }
  EXPECT_GT(reordered, 100u);
}

}  // namespace
}  // namespace predrace
