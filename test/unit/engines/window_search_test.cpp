#include "runtime/engines/window_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/engines/check.h"
#include "runtime/engines/hb.h"
#include "runtime/engines/online.h"
#include "runtime/engines/osr.h"
#include "test/unit/engines/logged.h"

namespace predrace {
namespace {

using Verdict = WindowSearch::Verdict;
const WindowSearch::Stop kNever = [] { return false; };
const WindowSearch::Stop kAlways = [] { return true; };

// Everything before the window's begin, and then the search's schedule.
std::vector<uint64_t> wholeSchedule(const WindowSearch& search, const std::vector<Event>& events) {
  std::vector<uint64_t> out;
  for (const Event& e : events)
    if (e.index < search.begin()) out.push_back(e.index);
  std::vector<uint64_t> rest = search.schedule();
  out.insert(out.end(), rest.begin(), rest.end());
  return out;
}

// Random events; threads begin with a fork by the first one, at the end it joins some and goes on.
std::vector<Event> randomTrace(uint64_t seed, RandomEvents::Shape shape, int length) {
  RandomEvents random(seed, shape);
  std::vector<Event> out;
  auto add = [&](Event e) {
    e.index = out.size();
    out.push_back(e);
  };
  std::vector<bool> begun(shape.threads);
  for (int k = 0; k < length; ++k) {
    Event e = random.next();
    if (e.thread != 0 && !begun[e.thread] && seed % 3 != 0) add({Op::Fork, 0, e.thread, 0, 0});
    begun[e.thread] = begun[0] = true;
    add(e);
  }
  for (uint32_t t = 1; t < shape.threads; ++t) {
    if (!begun[t] || random.chance(0.5)) continue;
    add({Op::Join, 0, t, 0, 0});
    for (uint32_t v = 0; v < shape.variables; ++v) add({Op::Write, 0, v, random.below(1000), 0});
  }
  return out;
}
RandomEvents::Shape shapeFor(uint64_t seed) {
  return {.threads = 3 + static_cast<uint32_t>(seed % 4),
          .locks = 2 + static_cast<uint32_t>(seed % 3),
          .variables = seed % 2 ? 3u : 12u,
          .accesses = 0.4,
          .extras = seed % 5 == 0 ? 0.15 : 0.03,
          .nested = seed % 3 != 1};
}

bool conflict(const Event& a, const Event& b) {
  return isAccess(a.op) && isAccess(b.op) && a.target == b.target && a.thread != b.thread &&
         (writes(a.op) || writes(b.op)) && !(isAtomic(a.op) && isAtomic(b.op));
}

// What a report says of a race.
using Said = std::tuple<uint64_t, uint64_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, bool>;
Said said(const Race& r) {
  return {r.first.index, r.second.index, r.first.thread, r.second.thread,
          r.first.site,  r.second.site,  r.variable,     r.unordered};
}

TEST(WindowSearch, InAWindowWithTheWholeTraceItFindsTheRacesOfOsr) {
  size_t races = 0, reversed = 0;
  for (uint64_t seed = 0; seed < 150; ++seed) {
    std::vector<Event> events = randomTrace(seed, shapeFor(seed), 200);
    WitnessChecker checker(events);
    std::set<Said> osr, found;
    OsrEngine engine([&](const Race& r) { osr.insert(said(r)); });
    engine.run(events);
    engine.finish();
    WindowSearch search(windowOf(events), {});
    EXPECT_TRUE(search.search(
        {},
        [&] {
          Race r = search.race();
          found.insert(said(r));
          reversed += !r.unordered;
          EXPECT_EQ(search.begin(), 0u);
          EXPECT_EQ(checker.check(search.schedule(), r.first.index, r.second.index), "") << seed;
        },
        kNever));
    ASSERT_EQ(found, osr) << seed;
    EXPECT_EQ(search.rejected(), 0u) << seed;
    races += found.size();
  }
  EXPECT_GT(races, 1000u);
  EXPECT_GT(reversed, 100u);
}

// Whatever it says of a part of the trace is true of the whole.
TEST(WindowSearch, WhereverTheWindowBeginsItsRacesAreRaces) {
  size_t found = 0, decided = 0, held = 0;
  for (uint64_t seed = 0; seed < 150; ++seed) {
    std::vector<Event> whole = randomTrace(seed, shapeFor(seed), 120);
    for (size_t cut : {whole.size() / 7, whole.size() / 3, whole.size() * 2 / 3}) {
      CutTrace t = cutAt(whole, cut);
      WitnessChecker checker(t.events);
      WindowSearch search(t.window, {});
      auto check = [&] {
        Race r = search.race();
        EXPECT_GE(search.begin(), t.window.firstIndex);
        EXPECT_EQ(checker.check(wholeSchedule(search, t.events), r.first.index, r.second.index), "")
            << seed << ", from " << cut << ": " << r.first.index << ", " << r.second.index;
        held += !t.window.held.empty();
      };
      search.search(
          {},
          [&] {
            ++found;
            check();
          },
          kNever);
      for (size_t j = cut; j < t.events.size(); j += 3) {
        for (size_t i = cut; i < j; ++i) {
          const Event &a = t.events[i], &b = t.events[j];
          if (!conflict(a, b) || search.decide(a.index, b.index, kNever) != Verdict::Witnessed) continue;
          ++decided;
          EXPECT_EQ(search.race().first.index, a.index);
          EXPECT_EQ(search.race().second.index, b.index);
          check();
        }
      }
      EXPECT_EQ(search.rejected(), 0u) << seed << ", from " << cut;
    }
  }
  EXPECT_GT(found, 500u);
  EXPECT_GT(decided, 2000u);
  EXPECT_GT(held, 500u);
}

// Much of a thread's own between what they share, so that a run is several chunks long.
TEST(WindowSearch, WindowsOfALongRunHaveRacesOfTheRunOnly) {
  constexpr uint32_t kThreads = 4, kLength = 5 * LogChunk::kEntries;
  RandomEvents random(1, {.threads = kThreads, .locks = 3, .variables = 30, .accesses = 0.3, .extras = 0.02});
  std::vector<Event> events;
  while (events.size() < kLength) {
    Event e = random.next();
    for (uint32_t k = 0; k < 200; ++k)
      events.push_back({Op::Write, e.thread, 100 + e.thread * 10 + k % 10, k, events.size()});
    e.index = events.size();
    events.push_back(e);
  }
  WitnessChecker checker(events);
  size_t witnessed = 0, late = 0;
  OnlineEngine engine(
      [&](const Race& r) {
        if (!r.witness) {
          EXPECT_TRUE(r.unordered);
          return;
        }
        ++witnessed;
        std::vector<uint64_t> schedule = r.witness->schedule();
        late += r.first.index >= LogChunk::kEntries;
        EXPECT_EQ(checker.check(schedule, r.first.index, r.second.index), "");
      },
      {.window = 2 * LogChunk::kEntries});
  engine.run(events);
  engine.finish();
  EXPECT_GT(engine.counts().windows, 2u);
  EXPECT_GT(witnessed, 50u);
  EXPECT_GT(late, 20u) << "behind what was dropped";
  EXPECT_EQ(engine.counts().rejected, 0u);
}

// One pair.

TEST(WindowSearch, APairMustBeInTheWindow) {
  CutTrace t = cutAt("T0:w(x) T0:acq(l) T0:rel(l) T0:w(x) T1:w(x) T1:r(x)", 3);
  WindowSearch search(t.window, {});
  EXPECT_EQ(search.decide(0, 5, kNever), std::nullopt);
  EXPECT_EQ(search.decide(4, 5, kNever), Verdict::Witnessed);
  EXPECT_EQ(search.decide(4, 99, kNever), std::nullopt);
  EXPECT_EQ(search.decide(5, 6, kNever), std::nullopt) << "of one thread";
}

TEST(WindowSearch, WhereNothingCanRaceThereIsNoPair) {
  WindowSearch search(windowOf("T0:acq(l) T0:w(x) T0:rel(l) T1:acq(l) T1:w(x) T1:rel(l)"), {});
  EXPECT_EQ(search.decide(1, 4, kNever), std::nullopt);
  EXPECT_TRUE(search.search({}, [] { FAIL(); }, kAlways));
  EXPECT_EQ(search.rejected(), 0u);
}

TEST(WindowSearch, SectionsAndReadsAreNoPair) {
  WindowSearch search(windowOf("T0:acq(l) T0:r(x) T0:rel(l) T1:acq(l) T1:r(x) T1:rel(l) T1:w(x)"), {});
  EXPECT_EQ(search.decide(0, 3, kNever), std::nullopt);
  EXPECT_EQ(search.decide(1, 4, kNever), std::nullopt);
  EXPECT_EQ(search.decide(1, 6, kNever), Verdict::Witnessed);
}

TEST(WindowSearch, StopsWhenItIsTold) {
  WindowSearch search(windowOf("T0:w(x) T0:acq(l) T0:rel(l) T1:acq(l) T1:rel(l) T1:w(x)"), {});
  EXPECT_EQ(search.decide(0, 5, kAlways), Verdict::Undecided);
  EXPECT_FALSE(search.search({}, [] { FAIL(); }, kAlways));
  EXPECT_EQ(search.decide(0, 5, kNever), Verdict::Witnessed);
}

TEST(WindowSearch, UnwantedSitesArePassedOver) {
  std::vector<Event> events = written("T0:w(x)|1 T0:w(y)|2 T1:w(x)|3 T1:w(y)|4").events;
  WindowSearch search(windowOf(events), {});
  std::set<Pair> found;
  search.search([&](uint32_t a, uint32_t b) { return a == events[1].site && b == events[3].site; },
                [&] { found.emplace(search.race().first.index, search.race().second.index); }, kNever);
  EXPECT_EQ(found, (std::set<Pair>{{1, 3}}));
}

TEST(WindowSearch, APairOnAWholeIsDecidedOnItsParts) {
  EventLog log;
  logAll(log, written("T0:acq(l) T0:w(x)").events);
  log.split(0, 1);
  // t1 writes one part in a section of the lock, and the other one without.
  log.on({Op::Release, 0, 0, 0, 2});
  log.on({Op::Acquire, 1, 0, 0, 3});
  log.on({Op::Write, 1, 0, 0, 4});
  log.on({Op::Release, 1, 0, 0, 5});
  log.on({Op::Write, 1, 1, 0, 6});
  WindowSearch search(log.window(), {});
  EXPECT_EQ(search.decide(1, 4, kNever), Verdict::Refused);
  EXPECT_EQ(search.decide(1, 6, kNever), Verdict::Witnessed);
  EXPECT_EQ(search.race().variable, 1u);
}

// What it tells, in the log's terms.

TEST(WindowSearch, ARaceIsToldInTheLogsNumbers) {
  EventLog log;
  uint64_t index = 0;
  auto on = [&](Op op, uint32_t thread, uint32_t target, uint32_t site) {
    log.on({op, thread, target, site, index++});
  };
  on(Op::Write, 9, 30, 1);  // its own
  on(Op::SharedAcquire, 9, 80, 2);
  on(Op::Acquire, 9, 70, 3);
  on(Op::Write, 9, 40, 4);
  on(Op::Release, 9, 70, 5);
  on(Op::SharedRelease, 9, 80, 6);
  on(Op::Acquire, 5, 70, 7);
  on(Op::Release, 5, 70, 8);
  on(Op::Acquire, 5, 60, 9);
  on(Op::Read, 5, 40, 10);
  WindowSearch search(log.window(), {});
  ASSERT_EQ(search.decide(3, 9, kNever), Verdict::Witnessed);
  Race r = search.race();
  EXPECT_EQ(said(r), (Said{3, 9, 9, 5, 4, 10, 40, false}));
  EXPECT_EQ(r.first.op, Op::Write);
  EXPECT_EQ(r.second.op, Op::Read);
  EXPECT_EQ(search.locksOf(r.first.lockset), (std::vector<uint32_t>{70 << 1, 80 << 1 | 1}));
  EXPECT_EQ(search.locksOf(r.second.lockset), (std::vector<uint32_t>{60 << 1}));
  HandOver h = search.handOver();
  EXPECT_EQ(h.lock, 70u);
  EXPECT_EQ(h.fromThread, 9u);
  EXPECT_EQ(h.toThread, 5u);
  EXPECT_EQ(h.releaseSite, 5u);
  EXPECT_EQ(h.acquireSite, 7u);
  WindowSearch::Outlined o = search.outline(100);
  std::vector<std::tuple<uint64_t, uint32_t, uint32_t>> steps;  // index, thread, target
  for (const WindowSearch::Outlined::Step& s : o.steps)
    steps.emplace_back(s.event.index, s.event.thread, s.event.target);
  EXPECT_EQ(steps, (std::vector<std::tuple<uint64_t, uint32_t, uint32_t>>{
                       {1, 9, 80}, {6, 5, 70}, {7, 5, 70}, {2, 9, 70}, {8, 5, 60}}));
}

TEST(WindowSearch, AForkIsToldWithItsThread) {
  EventLog log;
  log.on({Op::Fork, 7, 40, 0, 0});
  log.on({Op::Write, 40, 3, 0, 1});
  log.on({Op::Write, 7, 3, 0, 2});
  WindowSearch search(log.window(), {});
  ASSERT_EQ(search.decide(1, 2, kNever), Verdict::Witnessed);
  EXPECT_TRUE(search.race().unordered);
  EXPECT_EQ(search.handOver().lock, kNone) << "nothing ordered them";
  ASSERT_EQ(search.outline(5).steps.size(), 1u);
  EXPECT_EQ(search.outline(5).steps[0].event.target, 40u);
}

TEST(WindowSearch, SchedulesHaveWhatTheTraceLeavesOut) {
  std::string_view text =
      "T0:w(own0) T0:fork(T1) T0:w(x) T0:acq(l) T0:r(own0) T0:rel(l) T1:r(ro) T1:acq(l) T1:w(own1) "
      "T1:fork(T2) "
      "T2:w(own2) T2:w(own2) T1:join(T2) T1:rel(l) T1:r(own1) T1:w(x)";
  std::vector<Event> events = written(text).events;
  WindowSearch search(windowOf(events), {});
  ASSERT_EQ(search.decide(2, 15, kNever), Verdict::Witnessed);
  EXPECT_EQ(search.schedule(), (std::vector<uint64_t>{0, 1, 6, 7, 8, 9, 10, 11, 12, 13, 14}));
  EXPECT_EQ(WitnessChecker(events).check(search.schedule(), 2, 15), "");
}

TEST(WindowSearch, LongWindowsAreCutAtTheirBeginning) {
  std::vector<Event> events;
  for (uint64_t k = 0; k < 400; ++k) {
    uint32_t t = k % 2;
    for (Op op : {Op::Acquire, Op::Release, Op::Write})
      events.push_back({op, t, op == Op::Write ? static_cast<uint32_t>(k / 20) : 0, 0, events.size()});
  }
  WitnessChecker checker(events);
  WindowSearch search(windowOf(events), {.bytes = 30'000});
  EXPECT_EQ(search.decide(2, 5, kNever), std::nullopt);
  ASSERT_EQ(search.decide(1196, 1199, kNever), Verdict::Witnessed);
  EXPECT_GT(search.begin(), 600u);
  EXPECT_LT(search.begin(), 1190u);
  EXPECT_EQ(checker.check(wholeSchedule(search, events), 1196, 1199), "");
  std::set<uint64_t> firsts;
  search.search({}, [&] { firsts.insert(search.race().first.index); }, kNever);
  EXPECT_GE(*firsts.begin(), search.begin());
}

TEST(WindowSearch, ALockHeldFromBeforeProtectsThoughItsNumberIsForgottenLater) {
  EventLog log;
  log.on({Op::Acquire, 0, 5, 0, 0});
  log.on({Op::Write, 0, 0, 0, 10});  // the window begins here
  log.on({Op::Release, 0, 5, 0, 11});
  log.on({Op::Acquire, 1, 5, 0, 12});
  log.on({Op::Write, 1, 0, 0, 13});
  log.on({Op::Release, 1, 5, 0, 14});
  log.forget(LogEntry::kForgetLock, 5);
  log.on({Op::Write, 1, 0, 0, 15});  // this one races
  log.keepLast(1);
  WindowSearch search(log.window(), {});
  EXPECT_EQ(search.decide(10, 13, kNever), Verdict::Refused);
  std::set<Pair> found;
  search.search({}, [&] { found.emplace(search.race().first.index, search.race().second.index); }, kNever);
  EXPECT_FALSE(found.contains({10, 13}));
  EXPECT_EQ(search.rejected(), 0u);
}

// Plain accesses whose order is not certain.

// The whole of the text in a log that knows these data races.
WindowSearch uncertainSearch(std::string_view text, const std::vector<Pair>& racing,
                             bool exactOrder = false) {
  EventLog log;
  logAll(log, written(text).events);
  for (auto [first, second] : racing) log.racing(first, second);
  return WindowSearch(log.window(), {.exactOrder = exactOrder});
}

TEST(WindowSearch, ARaceBeforeThePairHasHappened) {
  constexpr std::string_view kText =
      "T0:w(f) T1:r(f) T0:w(x) T0:acq(l) T0:rel(l) T1:acq(l) T1:rel(l) T1:w(x)";
  WindowSearch exact = uncertainSearch(kText, {{0, 1}}, /*exactOrder=*/true);
  EXPECT_EQ(exact.decide(2, 7, kNever), Verdict::Witnessed);
  EXPECT_EQ(exact.begin(), 0u);
  WindowSearch search = uncertainSearch(kText, {{0, 1}});
  EXPECT_EQ(search.decide(2, 7, kNever), Verdict::Witnessed);
  EXPECT_EQ(search.begin(), 2u) << "behind the read whose value is not known";
  EXPECT_EQ(WitnessChecker(written(kText).events).check(wholeSchedule(search, written(kText).events), 2, 7),
            "");
}

TEST(WindowSearch, NothingIsUncertainWithoutADataRace) {
  WindowSearch search =
      uncertainSearch("T0:w(f) T1:r(f) T0:w(x) T0:acq(l) T0:rel(l) T1:acq(l) T1:rel(l) T1:w(x)", {});
  EXPECT_EQ(search.decide(2, 7, kNever), Verdict::Witnessed);
  EXPECT_EQ(search.begin(), 0u);
}

TEST(WindowSearch, ARaceThatThePairNeedsIsInTheWay) {
  constexpr std::string_view kText =
      "T0:w(x) T2:w(f) T0:acq(l) T0:rel(l) T1:r(f) T1:acq(l) T1:rel(l) T1:w(x)";
  EXPECT_EQ(uncertainSearch(kText, {}).decide(0, 7, kNever), Verdict::Witnessed);
  EXPECT_EQ(uncertainSearch(kText, {{1, 4}}).decide(0, 7, kNever), Verdict::Untrusted);
}

TEST(WindowSearch, ARaceInTheConeIsInTheWayFromALaterStartToo) {
  // t1 has seen g before it comes to x; that it sees f is before both.
  constexpr std::string_view kText =
      "T0:w(f) T1:r(f) T2:w(g) T0:w(x) T0:acq(l) T0:rel(l) T1:r(g) T1:acq(l) T1:rel(l) T1:w(x)";
  EXPECT_EQ(uncertainSearch(kText, {{0, 1}, {2, 6}}).decide(3, 9, kNever), Verdict::Untrusted);
  EXPECT_EQ(uncertainSearch(kText, {{0, 1}}).decide(3, 9, kNever), Verdict::Witnessed);
}

TEST(WindowSearch, TheEarlierAccessOfARaceIsUncertainToo) {
  // Here the write comes later; t1 may have read it.
  constexpr std::string_view kText =
      "T0:w(x) T1:r(f) T0:acq(l) T0:w(f) T0:rel(l) T1:acq(l) T1:rel(l) T1:w(x)";
  EXPECT_EQ(uncertainSearch(kText, {{1, 3}}).decide(0, 7, kNever), Verdict::Untrusted);
  EXPECT_EQ(uncertainSearch(kText, {}).decide(0, 7, kNever), Verdict::Witnessed);
}

TEST(WindowSearch, AReadOfOneOfTwoRacingWritesIsUncertain) {
  constexpr std::string_view kText =
      "T0:w(x) T2:w(f) T1:w(f) T1:r(f) T0:acq(l) T0:rel(l) T1:acq(l) T1:rel(l) T1:w(x)";
  EXPECT_EQ(uncertainSearch(kText, {{1, 2}}).decide(0, 8, kNever), Verdict::Untrusted);
}

TEST(WindowSearch, AWriteThatOnlyReadsRaceWithIsAsGoodAsAny) {
  WindowSearch search = uncertainSearch(
      "T2:w(y) T0:w(f) T1:r(f) T0:w(x) T0:acq(l) T0:rel(l) T2:acq(l) T2:rel(l) T2:w(x)", {{1, 2}});
  EXPECT_EQ(search.decide(3, 8, kNever), Verdict::Witnessed);
  EXPECT_EQ(search.begin(), 0u) << "t1 is not needed";
}

TEST(WindowSearch, TheSearchTellsNoUncertainRaces) {
  constexpr std::string_view kText =
      "T0:w(x) T0:w(f) T1:r(f) T0:acq(l) T0:rel(l) T1:acq(l) T1:rel(l) T1:w(x) T1:w(y) T2:w(y)";
  std::set<Pair> exact, careful;
  WindowSearch a = uncertainSearch(kText, {{1, 2}}, /*exactOrder=*/true),
               b = uncertainSearch(kText, {{1, 2}});
  a.search({}, [&] { exact.emplace(a.race().first.index, a.race().second.index); }, kNever);
  b.search({}, [&] { careful.emplace(b.race().first.index, b.race().second.index); }, kNever);
  EXPECT_EQ(exact, (std::set<Pair>{{1, 2}, {8, 9}}));
  EXPECT_EQ(careful, (std::set<Pair>{{1, 2}}));
}

// No schedule has an access whose value may have been another one.
TEST(WindowSearch, NoScheduleHasAnUncertainAccess) {
  size_t witnessed = 0, later = 0, untrusted = 0;
  for (uint64_t seed = 0; seed < 240; ++seed) {
    RandomEvents::Shape shape = shapeFor(seed);
    shape.variables = 8;
    shape.accesses = 0.25;
    std::vector<Event> whole = randomTrace(seed, shape, 120);
    size_t cut = seed % 2 ? 0 : 30;
    CutTrace t = cutAt(whole, cut);
    EventLog log;
    logAll(log, t.events);
    HbEngine hb([&](const Race& r) { log.racing(r.first.index, r.second.index); });
    hb.run(t.events);
    hb.finish();
    log.keepLast(log.size() - cut);
    RecordedTrace trace(t.events);
    // Each that a write of another thread is unordered with, as far as the window knows.
    std::map<uint64_t, bool> uncertain;
    for (size_t j = cut; j < t.events.size(); ++j) {
      for (size_t i = cut; i < j; ++i) {
        if (!conflict(t.events[i], t.events[j]) || trace.happensBefore(i, j)) continue;
        if (writes(t.events[i].op)) uncertain[t.events[j].index] = true;
        if (writes(t.events[j].op)) uncertain[t.events[i].index] = true;
      }
    }
    WitnessChecker checker(t.events);
    WindowSearch search(log.window(), {.exactOrder = false});
    for (size_t j = cut; j < t.events.size(); ++j) {
      for (size_t i = cut; i < j; ++i) {
        const Event &a = t.events[i], &b = t.events[j];
        if (!conflict(a, b)) continue;
        auto verdict = search.decide(a.index, b.index, kNever);
        untrusted += verdict == Verdict::Untrusted;
        if (verdict != Verdict::Witnessed) continue;
        ++witnessed;
        later += search.begin() > t.events[cut].index;
        EXPECT_EQ(checker.check(wholeSchedule(search, t.events), a.index, b.index), "") << seed;
        for (uint64_t step : search.schedule()) EXPECT_FALSE(uncertain[step]) << seed << ": " << step;
      }
    }
    EXPECT_EQ(search.rejected(), 0u);
  }
  EXPECT_GT(witnessed, 100u);
  EXPECT_GT(later, 20u);
  EXPECT_GT(untrusted, 100u);
}

}  // namespace
}  // namespace predrace
