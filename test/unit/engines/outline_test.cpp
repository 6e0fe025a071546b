#include "runtime/engines/outline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/engines/vindicator.h"
#include "test/unit/engines/traces.h"

namespace predrace {
namespace {

using Ids = std::vector<uint32_t>;

// Which hand-over the schedule undoes: release and acquire.
std::optional<std::pair<uint32_t, uint32_t>> overtaking(std::string_view text, const Ids& schedule,
                                                        uint32_t i, uint32_t j) {
  RecordedTrace trace(written(text).events);
  std::optional<Overtaking> o = overtakingIn(trace, schedule, i, j);
  if (!o) return std::nullopt;
  return std::pair(o->release, o->acquire);
}
std::pair<uint32_t, uint32_t> handOver(uint32_t release, uint32_t acquire) { return {release, acquire}; }

TEST(Overtaking, TheSecondSectionComesWithoutTheFirst) {
  EXPECT_EQ(overtaking("T0:w(x) T0:acq(l) T0:rel(l) T1:acq(l) T1:rel(l) T1:w(x)", {3, 4}, 0, 5),
            handOver(2, 3));
}

TEST(Overtaking, TheFirstAccessMayBeInItsSection) {
  EXPECT_EQ(overtaking("T0:acq(l) T0:w(x) T0:rel(l) T1:acq(l) T1:rel(l) T1:w(x)", {3, 4, 0}, 1, 5),
            handOver(2, 3));
}

TEST(Overtaking, TheSecondAccessMayBeInItsSection) {
  EXPECT_EQ(overtaking("T0:w(x) T0:acq(l) T0:rel(l) T1:acq(l) T1:w(x) T1:rel(l)", {3}, 0, 4), handOver(2, 3));
}

TEST(Overtaking, UnorderedAccessesNeedNone) {
  EXPECT_EQ(overtaking("T0:w(x) T1:w(x)", {}, 0, 1), std::nullopt);
  EXPECT_EQ(overtaking("T0:acq(l) T0:rel(l) T0:w(x) T1:acq(l) T1:rel(l) T1:w(x)", {0, 1, 3, 4}, 2, 5),
            std::nullopt);
}

TEST(Overtaking, AThirdThreadThatIsLeftOutPassedItOn) {
  EXPECT_EQ(
      overtaking("T0:w(x) T0:acq(a) T0:rel(a) T2:acq(a) T2:rel(a) T2:acq(b) T2:rel(b) T1:acq(b) T1:rel(b) "
                 "T1:w(x)",
                 {7, 8}, 0, 9),
      handOver(6, 7));
}

TEST(Overtaking, AThirdThreadOvertakes) {
  EXPECT_EQ(
      overtaking("T0:w(x) T0:acq(a) T0:rel(a) T2:acq(a) T2:rel(a) T2:acq(b) T2:aw(y) T2:rel(b) T1:acq(b) "
                 "T1:rel(b) T1:ar(y) T1:w(x)",
                 {3, 4, 5, 6, 7, 8, 9, 10}, 0, 11),
      handOver(2, 3));
}

TEST(Overtaking, HardOrderLeadsToTheReleaseAndFromTheAcquire) {
  EXPECT_EQ(
      overtaking("T0:w(x) T0:fork(T2) T2:acq(l) T2:rel(l) T3:acq(l) T3:rel(l) T3:snd(c) T1:rcv(c) T1:w(x)",
                 {4, 5, 6, 7}, 0, 8),
      handOver(3, 4));
}

TEST(Overtaking, SharedSectionsOrderWritersOnly) {
  EXPECT_EQ(overtaking("T0:w(x) T0:racq(l) T0:rrel(l) T1:racq(l) T1:rrel(l) T1:w(x)", {3, 4}, 0, 5),
            std::nullopt);
  EXPECT_EQ(overtaking("T0:w(x) T0:racq(l) T0:rrel(l) T1:acq(l) T1:rel(l) T1:w(x)", {3, 4}, 0, 5),
            handOver(2, 3));
  EXPECT_EQ(overtaking("T0:w(x) T0:acq(l) T0:rel(l) T1:racq(l) T1:rrel(l) T1:w(x)", {3, 4}, 0, 5),
            handOver(2, 3));
}

TEST(Overtaking, AnotherReaderInBetweenIsNotTheOne) {
  EXPECT_EQ(overtaking("T0:w(x) T0:racq(l) T0:rrel(l) T1:racq(l) T1:rrel(l) T1:acq(l) T1:rel(l) T1:w(x)",
                       {3, 4, 5, 6}, 0, 7),
            handOver(2, 5));
}

TEST(Overtaking, TheLastHandOverIsTold) {
  EXPECT_EQ(
      overtaking("T0:w(x) T0:acq(a) T0:rel(a) T0:acq(b) T0:rel(b) T1:acq(a) T1:rel(a) T1:acq(b) T1:rel(b) "
                 "T1:w(x)",
                 {5, 6, 7, 8}, 0, 9),
      handOver(4, 7));
}

TEST(Overtaking, LocksThatChangedHandsBeforeHaveNoPart) {
  EXPECT_EQ(
      overtaking("T0:acq(a) T0:rel(a) T0:w(x) T0:acq(b) T0:rel(b) T1:acq(b) T1:rel(b) T1:acq(a) T1:rel(a) "
                 "T1:w(x)",
                 {0, 1, 5, 6, 7, 8}, 2, 9),
      handOver(4, 5));
}

// "b2 1:3x2+0 0:7x1+4 s1": 2 steps before, then events 3 and its like of thread 1, twice, ...
std::string shown(const RecordedTrace& trace, const Outline& o) {
  std::string out = "b" + std::to_string(o.before);
  for (const Outline::Step& s : o.steps)
    out += " " + std::to_string(trace.event(s.id).thread) + ":" + std::to_string(s.id) + "x" +
           std::to_string(s.times) + "+" + std::to_string(s.skipped);
  return out + " s" + std::to_string(o.skipped);
}
// Of that schedule, which shows i and j to race.
std::string outline(std::string_view text, const Ids& schedule, uint32_t i, uint32_t j, size_t most,
                    uint32_t first = 0) {
  RecordedTrace trace(written(text).events);
  return shown(trace, outlineOf(trace, schedule, first, overtakingIn(trace, schedule, i, j), most));
}

TEST(Outline, AShortScheduleIsShownAsItIs) {
  EXPECT_EQ(
      outline("T0:acq(l)|1 T0:w(x)|2 T0:rel(l)|3 T1:acq(l)|4 T1:rel(l)|5 T1:w(x)|6", {3, 4, 0}, 1, 5, 3),
      "b0 1:3x1+0 1:4x1+0 0:0x1+0 s0");
}

TEST(Outline, NothingToDoIsNothingToShow) {
  EXPECT_EQ(outline("T0:w(x) T1:w(x)", {}, 0, 1, 5), "b0 s0");
  EXPECT_EQ(outline("T0:w(a)|1 T0:w(x)|2 T1:w(x)|3", {0}, 1, 2, 0), "b1 s0") << "no room";
}

TEST(Outline, SilentStepsAreNobodys) {
  EXPECT_EQ(outline("T0:begin|1 T0:w(a)|2 T0:branch|3 T0:w(b)|4 T0:w(x)|5 T1:begin|6 T1:w(x)|7",
                    {0, 1, 2, 3, 5}, 4, 6, 1),
            "b1 0:3x1+0 s0");
}

TEST(Outline, WhatWasPutInFrontIsNobodys) {
  EXPECT_EQ(outline("T0:acq(l)|1 T0:w(a)|2 T0:w(x)|3 T1:w(x)|4", {0, 1}, 2, 3, 5, /*first=*/1),
            "b0 0:1x1+0 s0");
}

TEST(Outline, TheLastStepsAreShown) {
  constexpr std::string_view kText = "T0:w(a)|1 T0:w(b)|2 T0:w(a)|3 T0:w(b)|4 T0:w(x)|5 T1:w(x)|6";
  EXPECT_EQ(outline(kText, {0, 1, 2, 3}, 4, 5, 2), "b2 0:2x1+0 0:3x1+0 s0");
  EXPECT_EQ(outline(kText, {0, 1, 2, 3}, 4, 5, 4), "b0 0:0x1+0 0:1x1+0 0:2x1+0 0:3x1+0 s0");
}

TEST(Outline, RepeatsAreOneStep) {
  constexpr std::string_view kText =
      "T0:w(a)|1 T0:w(b)|1 T0:branch|9 T0:w(a)|1 T0:r(a)|1 T1:w(c)|1 T0:r(a)|1 T0:r(a)|2 T0:w(x)|5 T1:w(x)|6";
  EXPECT_EQ(outline(kText, {0, 1, 2, 3, 4, 5, 6, 7}, 8, 9, 9),
            "b0 0:0x3+0 0:4x1+0 1:5x1+0 0:6x1+0 0:7x1+0 s0");
  EXPECT_EQ(outline(kText, {0, 1, 2, 3, 4, 5, 6, 7}, 8, 9, 3), "b4 1:5x1+0 0:6x1+0 0:7x1+0 s0");
  EXPECT_EQ(outline(kText, {0, 1, 2, 3, 4, 5, 6, 7}, 8, 9, 5).substr(0, 10), "b0 0:0x3+0")
      << "one step of room is enough for all three";
}

TEST(Outline, TheOvertakingSectionIsAlwaysShown) {
  EXPECT_EQ(outline("T0:w(x)|1 T0:acq(l)|2 T0:rel(l)|3 T1:w(a)|4 T1:acq(l)|5 T1:w(b)|6 T1:w(c)|7 T1:rel(l)|8 "
                    "T1:w(b)|9 T1:w(c)|10 T1:w(b)|11 T1:w(x)|12",
                    {3, 4, 5, 6, 7, 8, 9, 10}, 0, 11, 3),
            "b1 1:4x1+0 1:7x1+2 1:10x1+2 s0");
}

TEST(Outline, StepsBehindTheLastOneShownAreCounted) {
  EXPECT_EQ(outline("T0:w(x)|1 T0:acq(l)|2 T0:rel(l)|3 T1:acq(l)|5 T1:w(b)|6 T1:rel(l)|8 T1:w(b)|9 T1:w(c)|9 "
                    "T1:w(c)|10 T1:w(x)|12",
                    {3, 4, 5, 6, 7, 8}, 0, 9, 2),
            "b0 1:3x1+0 1:5x1+1 s3");
}

TEST(Outline, WhatIsHeldAtTheEndIsShown) {
  EXPECT_EQ(outline("T0:acq(m)|1 T0:w(a)|2 T0:w(b)|3 T0:acq(n)|4 T0:rel(n)|5 T0:w(a)|6 T0:w(x)|7 T1:w(x)|8",
                    {0, 1, 2, 3, 4, 5}, 6, 7, 2),
            "b0 0:0x1+0 0:5x1+4 s0");
}

// A loop that takes several locks: the same code, one lock after the other.
TEST(Outline, SectionsOfTheSameCodeAreShownOneByOne) {
  EXPECT_EQ(
      outline("T0:w(x)|1 T0:acq(l)|2 T0:rel(l)|3 T1:acq(k)|4 T1:acq(l)|4 T1:rel(l)|5 T1:rel(k)|5 T1:w(x)|6",
              {3, 4, 5, 6}, 0, 7, 9),
      "b0 1:3x1+0 1:4x1+0 1:5x1+0 1:6x1+0 s0");
  EXPECT_EQ(
      outline("T0:w(x)|1 T0:acq(l)|2 T0:rel(l)|3 T1:acq(k)|4 T1:acq(l)|4 T1:rel(l)|5 T1:rel(k)|5 T1:w(x)|6",
              {3, 4, 5, 6}, 0, 7, 2),
      "b1 1:4x1+0 1:5x1+0 s1");
}

TEST(Outline, ThreadsOfTheSameCodeAreShownOneByOne) {
  EXPECT_EQ(outline("T0:fork(T1)|1 T0:fork(T2)|1 T1:w(x)|2 T2:w(x)|2", {0, 1}, 2, 3, 9),
            "b0 0:0x1+0 0:1x1+0 s0");
}

TEST(Outline, TheOvertakingSectionComesBeforeWhatIsHeld) {
  EXPECT_EQ(
      outline("T0:w(x)|1 T0:acq(l)|2 T0:rel(l)|3 T1:acq(l)|4 T1:rel(l)|5 T1:acq(m)|6 T1:acq(n)|7 T1:w(x)|8",
              {3, 4, 5, 6}, 0, 7, 2),
      "b0 1:3x1+0 1:4x1+0 s2");
}

bool conflict(const Event& a, const Event& b) {
  return isAccess(a.op) && isAccess(b.op) && a.target == b.target && a.thread != b.thread &&
         (writes(a.op) || writes(b.op)) && !(isAtomic(a.op) && isAtomic(b.op));
}

// Calls use(trace, schedule, i, j) for races of random traces.
template <class Use>
void witnessedPairs(Use use) {
  for (uint64_t seed = 0; seed < 150; ++seed) {
    RandomEvents random(seed, {.threads = 3 + static_cast<uint32_t>(seed % 4),
                               .locks = 3,
                               .variables = 4,
                               .accesses = 0.4,
                               .extras = 0.05,
                               .shared = 0.3,
                               .nested = seed % 2 == 0});
    std::vector<Event> events;
    for (int k = 0; k < 60; ++k) events.push_back(random.next());
    for (Event& e : events) {
      e.site %= 3;
      if (isAccess(e.op) && random.chance(0.05)) e.op = Op::Branch;
    }
    RecordedTrace trace(events);
    OsrSearch osr(trace);
    Vindicator vindicator(trace, osr);
    for (uint32_t j = 0; j < events.size(); ++j) {
      for (uint32_t i = 0; i < j; ++i) {
        if (!conflict(events[i], events[j])) continue;
        if (vindicator.vindicate(i, j, [] { return false; }) != Vindicator::Verdict::Witnessed) continue;
        use(trace, vindicator.schedule(), i, j);
      }
    }
  }
}

TEST(Overtaking, IsFoundWhereverHappensBeforeOrdersThePair) {
  size_t ordered = 0, third = 0;
  witnessedPairs([&](const RecordedTrace& trace, const Ids& schedule, uint32_t i, uint32_t j) {
    std::optional<Overtaking> o = overtakingIn(trace, schedule, i, j);
    ASSERT_EQ(o.has_value(), trace.happensBefore(i, j));
    if (!o) return;
    ++ordered;
    const Event &release = trace.event(o->release), &acquire = trace.event(o->acquire);
    third += release.thread != trace.event(i).thread || acquire.thread != trace.event(j).thread;
    ASSERT_TRUE(RecordedTrace::isRelease(release.op));
    ASSERT_TRUE(RecordedTrace::isAcquire(acquire.op));
    EXPECT_EQ(release.target, acquire.target);
    EXPECT_NE(release.thread, acquire.thread);
    EXPECT_FALSE(release.op == Op::SharedRelease && acquire.op == Op::SharedAcquire);
    EXPECT_LT(o->release, o->acquire);
    EXPECT_EQ(std::ranges::count(schedule, o->release), 0);
    EXPECT_EQ(std::ranges::count(schedule, o->acquire), 1);
    EXPECT_TRUE(trace.happensBefore(i, o->release));
    EXPECT_TRUE(trace.happensBefore(o->acquire, j));
  });
  EXPECT_GT(ordered, 500u);
  EXPECT_GT(third, 50u);
}

TEST(Outline, EveryStepIsShownOrCounted) {
  size_t outlines = 0, sections = 0;
  witnessedPairs([&](const RecordedTrace& trace, const Ids& schedule, uint32_t i, uint32_t j) {
    std::optional<Overtaking> o = overtakingIn(trace, schedule, i, j);
    uint64_t real =
        std::ranges::count_if(schedule, [&](uint32_t id) { return trace.event(id).op < Op::Begin; });
    for (size_t most : {0, 1, 2, 5, 12, 1000}) {
      Outline out = outlineOf(trace, schedule, 0, o, most);
      ++outlines;
      ASSERT_LE(out.steps.size(), most);
      uint64_t told = out.before + out.skipped;
      auto at = schedule.begin();
      for (const Outline::Step& s : out.steps) {
        told += s.times + s.skipped;
        at = std::find(at, schedule.end(), s.id);
        ASSERT_NE(at++, schedule.end()) << "not in the order of the schedule";
      }
      ASSERT_EQ(told, real);
      if (most == 1000) EXPECT_EQ(out.before + out.skipped, 0u);
      if (!o || most < 2) continue;
      for (uint32_t id : {o->acquire, trace.partner(o->acquire)}) {
        if (std::ranges::find(schedule, id) == schedule.end()) continue;
        ++sections;
        EXPECT_EQ(std::ranges::count(out.steps, id, &Outline::Step::id), 1) << most;
      }
    }
  });
  EXPECT_GT(outlines, 5000u);
  EXPECT_GT(sections, 5000u);
}

}  // namespace
}  // namespace predrace
