#include "runtime/engines/window_trace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/engines/recorded_trace.h"
#include "test/unit/engines/logged.h"

namespace predrace {
namespace {

using Indices = std::vector<uint64_t>;

// The log's indices of the trace's events; what was put in front has none.
Indices originsOf(const std::vector<Event>& events) {
  Indices out;
  for (const Event& e : events)
    if (auto origin = WindowTrace::originOf(e.index)) out.push_back(*origin);
  return out;
}
// Those of the text's events that a trace of the whole needs.
Indices kept(std::string_view text) { return originsOf(WindowTrace(windowOf(text), false).from(0)); }

// "0:w(1)" is thread 0, variable 1.
std::string shown(const Event& e) {
  std::string out = std::to_string(e.thread) + ":" + textOf(e.op);
  return familyOf(e.op) == Family::None ? out : out + "(" + std::to_string(e.target) + ")";
}
std::string shown(const std::vector<Event>& events) {
  std::string out;
  for (const Event& e : events) out += (out.empty() ? "" : " ") + shown(e);
  return out;
}

// A log that is told things step by step.
struct Told {
  void on(Op op, uint32_t thread, uint32_t target) { log.on({op, thread, target, 0, index++}); }
  void write(uint32_t thread, uint32_t variable) { on(Op::Write, thread, variable); }
  // A section with nothing in it.
  void section(uint32_t thread, uint32_t lock) {
    on(Op::Acquire, thread, lock);
    on(Op::Release, thread, lock);
  }
  // What comes now is in another chunk.
  void cut() { ++index; }
  WindowTrace trace(bool skipIfSafe = false) const { return WindowTrace(log.window(), skipIfSafe); }
  WindowTrace traceOfLast(uint64_t entries) {
    log.keepLast(entries);
    return trace();
  }

  EventLog log;
  uint64_t index = 0;
};

// What is left out. Each thread begins with something that stays.

TEST(WindowTrace, OneThreadsOwnVariablesAreLeftOut) {
  EXPECT_EQ(kept("T0:w(s) T1:r(s) T0:w(x) T0:r(x) T1:aw(y) T1:ar(y)"), (Indices{0, 1}));
}

TEST(WindowTrace, WhatNobodyWritesIsLeftOut) {
  EXPECT_EQ(kept("T0:w(s) T1:r(s) T0:r(x) T1:r(x) T1:w(x)"), (Indices{0, 1, 2, 3, 4}));
  EXPECT_EQ(kept("T0:w(s) T1:r(s) T0:r(x) T1:r(x)"), (Indices{0, 1}));
}

TEST(WindowTrace, AtomicReadsAreKeptBecauseTheyKeepTheirOrder) {
  EXPECT_EQ(kept("T0:w(s) T1:r(s) T0:ar(x) T1:ar(x)"), (Indices{0, 1, 2, 3}));
  EXPECT_EQ(kept("T0:w(s) T1:r(s) T0:r(x) T1:ar(x)"), (Indices{0, 1, 2, 3}));
}

TEST(WindowTrace, ChannelsAndObjectsOfOneThreadAreLeftOut) {
  EXPECT_EQ(kept("T0:w(s) T1:r(s) T0:snd(c) T0:rcv(c) T1:at(o) T1:at(o)"), (Indices{0, 1}));
  EXPECT_EQ(kept("T0:w(s) T1:r(s) T0:snd(c) T1:rcv(c) T1:at(o) T0:at(o)"), (Indices{0, 1, 2, 3, 4, 5}));
}

TEST(WindowTrace, WhatHasNoMeaningIsLeftOut) {
  EXPECT_EQ(kept("T0:w(s) T1:r(s) T0:branch T1:end"), (Indices{0, 1}));
}

TEST(WindowTrace, AllSectionsAreKept) {
  EXPECT_EQ(kept("T0:acq(l) T0:rel(l) T0:racq(m) T0:rrel(m)"), (Indices{0, 1, 2, 3}));
}

TEST(WindowTrace, ForksAndJoinsOfThreadsWithNothingToDoAreLeftOut) {
  EXPECT_EQ(kept("T0:w(s) T1:r(s) T0:fork(T2) T0:join(T2)"), (Indices{0, 1}));
  EXPECT_EQ(kept("T0:w(s) T1:r(s) T0:fork(T2) T2:w(x) T0:join(T2)"), (Indices{0, 1, 2, 3, 4}));
}

TEST(WindowTrace, AThreadsFirstEventStaysForForkAndJoin) {
  WindowTrace trace(windowOf("T0:fork(T1) T1:w(x) T1:w(x) T0:join(T1)"), false);
  EXPECT_EQ(shown(trace.from(0)), "0:fork(1) 1:branch 0:join(1)");
  EXPECT_EQ(originsOf(trace.from(0)), (Indices{0, 1, 3}));
}

TEST(WindowTrace, WhatIsLeftOutIsDecidedByTheWindowAlone) {
  CutTrace t = cutAt("T0:w(x) T0:snd(c) T0:at(o) T1:w(s) T0:r(s) T1:r(x) T1:rcv(c) T1:at(o)", 3);
  EXPECT_EQ(originsOf(WindowTrace(t.window, false).from(0)), (Indices{4, 5}));
}

// Numbers, and the way back.

TEST(WindowTrace, NumbersAreDense) {
  Told t;
  t.on(Op::Acquire, 70, 33);
  t.write(70, 500);
  t.on(Op::Release, 70, 33);
  t.write(70, 400);  // its own
  t.section(60, 22);
  t.write(60, 300);  // its own
  t.write(60, 500);
  WindowTrace trace = t.trace();
  EXPECT_EQ(shown(trace.from(0)), "0:acq(0) 0:w(0) 0:rel(0) 1:acq(1) 1:rel(1) 1:w(0)");
  EXPECT_EQ(trace.threadOf(0), 70u);
  EXPECT_EQ(trace.threadOf(1), 60u);
  EXPECT_EQ(trace.variableOf(0), 500u);
  EXPECT_EQ(trace.lockOf(0), 33u);
  EXPECT_EQ(trace.lockOf(1), 22u);
}

TEST(WindowTrace, ForkAndJoinNameThreadsDensely) {
  Told t;
  t.on(Op::Fork, 9, 50);
  t.write(50, 0);
  t.on(Op::Join, 9, 50);
  EXPECT_EQ(shown(t.trace().from(0)), "0:fork(1) 1:branch 0:join(1)");
}

TEST(WindowTrace, PlacesAndOriginsAreInverse) {
  WindowTrace trace(windowOf("T0:w(x) T0:w(own) T1:r(x) T1:w(x)"), false);
  ASSERT_EQ(trace.size(), 3u);
  EXPECT_EQ(trace.placesOf(0), (std::pair(0u, 1u)));
  EXPECT_EQ(trace.placesOf(1), (std::pair(1u, 1u))) << "left out";
  EXPECT_EQ(trace.placesOf(2), (std::pair(1u, 2u)));
  EXPECT_EQ(trace.placesOf(3), (std::pair(2u, 3u)));
  EXPECT_EQ(trace.placesOf(99), (std::pair(3u, 3u))) << "not in the window";
  for (uint64_t origin : {uint64_t{0}, uint64_t{3}, uint64_t{1} << 40}) {
    EXPECT_EQ(WindowTrace::originOf(WindowTrace::beginOf(origin)), origin);
    EXPECT_EQ(WindowTrace::originOf(WindowTrace::endOf(origin) - 1), origin);
  }
  EXPECT_EQ(WindowTrace::originOf(0), std::nullopt) << "put in front";
  EXPECT_EQ(WindowTrace::originOf(WindowTrace::beginOf(0) - 1), std::nullopt);
}

TEST(WindowTrace, SitesAreKept) {
  EventLog log;
  log.on({Op::Write, 0, 0, 17, 0});
  log.on({Op::Write, 1, 0, 18, 1});
  std::vector<Event> events = WindowTrace(log.window(), false).from(0);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].site, 17u);
  EXPECT_EQ(events[1].site, 18u);
}

// Lives of numbers.

TEST(WindowTrace, AVariableThatComesBackIsAnother) {
  Told t;
  for (int life = 0; life < 2; ++life) {
    t.write(0, 5);
    t.write(1, 5);
    t.log.forget(LogEntry::kForgetVariable, 5);
  }
  WindowTrace trace = t.trace();
  EXPECT_EQ(shown(trace.from(0)), "0:w(0) 1:w(0) 0:w(1) 1:w(1)");
  EXPECT_EQ(trace.variableOf(0), 5u);
  EXPECT_EQ(trace.variableOf(1), 5u);
}

TEST(WindowTrace, LivesThatThreadsDoNotShareAreLeftOut) {
  Told t;
  t.section(0, 0);
  t.section(1, 0);
  t.write(0, 5);
  t.log.forget(LogEntry::kForgetVariable, 5);
  t.write(1, 5);
  t.on(Op::Send, 0, 5);
  t.log.forget(LogEntry::kForgetChannel, 5);
  t.on(Op::Receive, 1, 5);
  t.on(Op::At, 0, 5);
  t.log.forget(LogEntry::kForgetObject, 5);
  t.on(Op::At, 1, 5);
  EXPECT_EQ(shown(t.trace().from(0)), "0:acq(0) 0:rel(0) 1:acq(0) 1:rel(0)");
}

TEST(WindowTrace, EachFamilyForgetsItsOwnNumbersOnly) {
  Told t;
  t.write(0, 5);
  t.on(Op::Send, 0, 5);
  t.on(Op::At, 0, 5);
  t.section(0, 5);
  for (LogEntry::Kind kind :
       {LogEntry::kForgetVariable, LogEntry::kForgetChannel, LogEntry::kForgetObject, LogEntry::kForgetLock})
    t.log.forget(kind, 6);
  t.write(1, 5);
  t.on(Op::Receive, 1, 5);
  t.on(Op::At, 1, 5);
  t.section(1, 5);
  EXPECT_EQ(shown(t.trace().from(0)),
            "0:w(0) 0:snd(0) 0:at(0) 0:acq(0) 0:rel(0) 1:w(0) 1:rcv(0) 1:at(0) 1:acq(0) 1:rel(0)");
}

TEST(WindowTrace, ALockThatComesBackIsAnother) {
  Told t;
  t.section(0, 5);
  t.log.forget(LogEntry::kForgetLock, 5);
  t.section(1, 5);
  WindowTrace trace = t.trace();
  EXPECT_EQ(shown(trace.from(0)), "0:acq(0) 0:rel(0) 1:acq(1) 1:rel(1)");
  EXPECT_EQ(trace.lockOf(0), 5u);
  EXPECT_EQ(trace.lockOf(1), 5u);
}

// Random reuse of numbers gives the same trace as numbers that are used once.
TEST(WindowTrace, ReusedNumbersAreAsGoodAsFreshOnes) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    RandomEvents random(seed, {.threads = 4, .locks = 3, .variables = 4, .extras = 0.2});
    EventLog reused, fresh;
    std::vector<std::vector<uint32_t>> names(4);  // by family: of each number its present fresh one
    std::vector<uint32_t> made(4);
    auto nameOf = [&](Family f, uint32_t number) -> uint32_t& {
      std::vector<uint32_t>& all = names[static_cast<int>(f) - (f > Family::Thread)];
      while (all.size() <= number) all.push_back(made[&all - names.data()]++);
      return all[number];
    };
    for (int k = 0; k < 300; ++k) {
      Event e = random.next();
      reused.on(e);
      e.target = nameOf(familyOf(e.op), e.target);
      fresh.on(e);
      if (!random.chance(0.1)) continue;
      Family f =
          std::vector{Family::Variable, Family::Lock, Family::Channel, Family::Object}[random.below(4)];
      uint32_t number = random.below(2);
      if (f == Family::Lock && random.held(number)) continue;
      LogEntry::Kind kind = f == Family::Variable  ? LogEntry::kForgetVariable
                            : f == Family::Lock    ? LogEntry::kForgetLock
                            : f == Family::Channel ? LogEntry::kForgetChannel
                                                   : LogEntry::kForgetObject;
      reused.forget(kind, number);
      nameOf(f, number);
      names[static_cast<int>(f) - (f > Family::Thread)][number] =
          made[static_cast<int>(f) - (f > Family::Thread)]++;
    }
    WindowTrace a(reused.window(), false), b(fresh.window(), false);
    ASSERT_EQ(shown(a.from(0)), shown(b.from(0))) << seed;
    ASSERT_EQ(originsOf(a.from(0)), originsOf(b.from(0))) << seed;
  }
}

// Variables that were split.

std::set<uint32_t> variablesAt(const WindowTrace& trace, uint64_t origin) {
  std::vector<Event> events = trace.from(0);
  std::set<uint32_t> out;
  auto [first, past] = trace.placesOf(origin);
  for (uint32_t place = first; place < past; ++place) out.insert(trace.variableOf(events[place].target));
  EXPECT_EQ(out.size(), past - first) << "one event for each part";
  return out;
}

TEST(WindowTrace, AnEventOnAWholeIsOneOnEachPart) {
  Told t;
  t.write(0, 5);
  t.log.split(5, 6);
  t.write(1, 5);
  t.write(1, 6);
  WindowTrace trace = t.trace();
  EXPECT_EQ(trace.size(), 4u);
  EXPECT_EQ(variablesAt(trace, 0), (std::set<uint32_t>{5, 6}));
  EXPECT_EQ(variablesAt(trace, 1), (std::set<uint32_t>{5}));
  EXPECT_EQ(variablesAt(trace, 2), (std::set<uint32_t>{6}));
}

TEST(WindowTrace, PartsAreLeftOutOneByOne) {
  Told t;
  t.write(0, 5);
  t.log.split(5, 6);
  t.write(0, 5);  // only the first thread's
  t.write(1, 6);
  WindowTrace trace = t.trace();
  EXPECT_EQ(originsOf(trace.from(0)), (Indices{0, 2}));
  EXPECT_EQ(variablesAt(trace, 0), (std::set<uint32_t>{6}));
}

TEST(WindowTrace, APartHasWhatTheWholeHadInCommon) {
  Told t;
  t.write(0, 5);
  t.write(1, 5);
  t.log.split(5, 6);  // nobody comes back to the parts
  EXPECT_EQ(variablesAt(t.trace(), 0), (std::set<uint32_t>{5, 6}));
  EXPECT_EQ(variablesAt(t.trace(), 1), (std::set<uint32_t>{5, 6}));
  EXPECT_EQ(t.trace(/*skipIfSafe=*/true).size(), 4u) << "a race in both parts";
}

TEST(WindowTrace, PartsOfPartsAreLeaves) {
  Told t;
  t.write(0, 5);
  t.log.split(5, 6);
  t.write(0, 6);
  t.log.split(6, 7);
  t.log.split(5, 8);
  for (uint32_t v : {5, 6, 7, 8}) t.write(1, v);
  WindowTrace trace = t.trace();
  EXPECT_EQ(variablesAt(trace, 0), (std::set<uint32_t>{5, 6, 7, 8}));
  EXPECT_EQ(variablesAt(trace, 1), (std::set<uint32_t>{6, 7}));
  EXPECT_EQ(variablesAt(trace, 2), (std::set<uint32_t>{5}));
}

TEST(WindowTrace, AVariableMayBeSplitBeforeTheWindowOrBeforeItsFirstEvent) {
  Told t;
  t.write(0, 5);
  t.cut();
  t.section(0, 0);
  t.log.split(5, 6);
  t.write(0, 6);
  t.write(1, 6);
  EXPECT_EQ(shown(t.traceOfLast(1).from(0)), "0:acq(0) 0:rel(0) 0:w(0) 1:w(0)");
  EXPECT_EQ(t.trace().variableOf(0), 6u);
}

// Locks that are held where the window begins.

TEST(WindowTrace, HeldLocksAreTakenInFront) {
  CutTrace t = cutAt("T0:acq(a) T1:racq(b) T0:w(x) T1:w(x) T2:w(x) T0:rel(a) T1:rrel(b)", 2);
  WindowTrace trace(t.window, false);
  std::vector<Event> events = trace.from(0);
  EXPECT_EQ(originsOf(events), (Indices{3, 4, 5, 6, 7}));
  ASSERT_EQ(events.size() - trace.size(), 7u) << "two locks, two senders, three receivers";
  EXPECT_EQ(shown({events[0], events[1]}), "0:acq(0) 1:racq(1)");
  RecordedTrace recorded(events);
  for (uint32_t i = 7; i < events.size(); ++i)
    for (uint32_t a : {0, 1}) EXPECT_TRUE(recorded.inPast(a, i)) << "hard order keeps it in front of " << i;
  EXPECT_EQ(recorded.locksets().locks(recorded.locksetAt(7)).size(), 1u) << "t0 writes with a held";
  EXPECT_EQ(recorded.partner(0), 7u + 3) << "its section ends in the window";
}

TEST(WindowTrace, NothingIsPutInFrontIfNothingIsHeld) {
  CutTrace t = cutAt("T0:acq(a) T0:rel(a) T0:w(x) T1:w(x)", 2);
  WindowTrace trace(t.window, false);
  EXPECT_EQ(shown(trace.from(0)), "0:w(0) 1:w(0)");
}

TEST(WindowTrace, AHolderWithNothingToDoInTheWindowHoldsStill) {
  CutTrace t = cutAt("T5:acq(a) T0:w(x) T1:w(x)", 1);
  std::vector<Event> events = WindowTrace(t.window, false).from(0);
  EXPECT_EQ(std::ranges::count(events, Op::Acquire, &Event::op), 1);
  RecordedTrace recorded(events);
  EXPECT_EQ(recorded.openAfter(events[0].thread, 1).size(), 1u);
  EXPECT_TRUE(recorded.inPast(0, recorded.size() - 1));
}

TEST(WindowTrace, InTheMiddleWhatIsHeldThereIsInFront) {
  WindowTrace trace(windowOf("T0:acq(a) T1:racq(b) T1:acq(c) T0:w(x) T1:rel(c) T1:w(x) T0:rel(a) T1:rrel(b)"),
                    false);
  EXPECT_EQ(shown(trace.from(0)), "0:acq(0) 1:racq(1) 1:acq(2) 0:w(0) 1:rel(2) 1:w(0) 0:rel(0) 1:rrel(1)");
  EXPECT_EQ(shown(trace.from(3)),
            "0:acq(0) 1:racq(1) 1:acq(2) 0:snd(0) 1:snd(0) 0:rcv(0) 1:rcv(0) 0:w(0) 1:rel(2) 1:w(0) 0:rel(0) "
            "1:rrel(1)");
  EXPECT_EQ(shown(trace.from(5)),
            "0:acq(0) 1:racq(1) 0:snd(0) 1:snd(0) 0:rcv(0) 1:rcv(0) 1:w(0) 0:rel(0) 1:rrel(1)");
  EXPECT_EQ(shown(trace.from(7)), "1:racq(1) 1:snd(0) 0:rcv(0) 1:rcv(0) 1:rrel(1)");
  EXPECT_EQ(shown(trace.from(8)), "");
}

TEST(WindowTrace, TheChannelInFrontIsNobodysElse) {
  WindowTrace trace(windowOf("T0:acq(a) T0:snd(c) T1:rcv(c) T0:w(x) T1:w(x)"), false);
  EXPECT_EQ(shown(trace.from(1)), "0:acq(0) 0:snd(1) 0:rcv(1) 1:rcv(1) 0:snd(0) 1:rcv(0) 0:w(0) 1:w(0)");
}

TEST(WindowTrace, ThreadsForkedLaterComeAfterTheirForkAnyway) {
  WindowTrace trace(windowOf("T0:acq(a) T1:w(x) T0:w(x) T0:fork(T2) T2:w(x)"), false);
  EXPECT_EQ(shown(trace.from(1)), "0:acq(0) 0:snd(0) 0:rcv(0) 1:rcv(0) 1:w(0) 0:w(0) 0:fork(2) 2:w(0)");
  EXPECT_EQ(shown(trace.from(4)), "0:acq(0) 0:snd(0) 0:rcv(0) 1:rcv(0) 2:rcv(0) 2:w(0)")
      << "here the fork has happened";
  EXPECT_EQ(RecordedTrace(trace.from(1)).forkOf(2), 6u);
}

TEST(WindowTrace, ALockHeldAtTheBeginningMayBeForgottenInTheWindow) {
  Told t;
  t.on(Op::Acquire, 0, 5);
  t.cut();
  t.write(0, 0);
  t.on(Op::Release, 0, 5);
  t.on(Op::Acquire, 1, 5);
  t.write(1, 0);
  t.on(Op::Release, 1, 5);
  t.log.forget(LogEntry::kForgetLock, 5);
  t.section(1, 5);
  WindowTrace trace = t.traceOfLast(1);
  EXPECT_EQ(shown(trace.from(0)),
            "0:acq(0) 0:snd(0) 0:rcv(0) 1:rcv(0) 0:w(0) 0:rel(0) 1:acq(0) 1:w(0) 1:rel(0) 1:acq(1) 1:rel(1)");
  EXPECT_EQ(trace.lockOf(0), 5u);
  EXPECT_EQ(trace.lockOf(1), 5u);
}

// The log's data races.

using Places = std::pair<std::optional<uint32_t>, uint32_t>;

std::vector<Places> racingOf(const WindowTrace& trace) {
  std::vector<Places> out;
  for (const WindowTrace::Racing& r : trace.racing()) out.emplace_back(r.first, r.second);
  return out;
}

TEST(WindowTrace, RacingAccessesHaveTheirPlaces) {
  Told t;
  t.write(0, 0);
  t.write(0, 1);  // its own: left out
  t.write(1, 0);
  t.log.racing(0, 2);
  t.on(Op::Read, 0, 0);
  t.write(1, 0);
  t.log.racing(3, 4);
  t.log.racing(2, 3);
  EXPECT_EQ(racingOf(t.trace()), (std::vector<Places>{{0, 1}, {2, 3}, {1, 2}}));
}

TEST(WindowTrace, RacingAccessesOfASplitVariableHaveAPlaceForEachPart) {
  Told t;
  t.write(0, 0);
  t.write(1, 0);
  t.log.racing(0, 1);
  t.log.split(0, 1);
  EXPECT_EQ(racingOf(t.trace()), (std::vector<Places>{{0, 2}, {1, 3}}));
}

TEST(WindowTrace, RacingAccessesThatAreNotInTheTraceHaveNoPlace) {
  Told t;
  t.write(0, 0);
  t.write(1, 0);
  t.cut();
  t.write(0, 0);
  t.write(1, 0);
  t.write(1, 1);  // its own
  t.log.racing(0, 1);
  t.log.racing(4, 5);
  EXPECT_EQ(racingOf(t.traceOfLast(1)), (std::vector<Places>{}));
}

// Windows in which nothing can race.

size_t sizeIfContested(std::string_view text) { return WindowTrace(windowOf(text)).size(); }

TEST(WindowTrace, WithALockAroundEverythingThereIsNothingToDo) {
  EXPECT_EQ(sizeIfContested("T0:acq(l) T0:w(x) T0:rel(l) T1:acq(l) T1:r(x) T1:rel(l)"), 0u);
  EXPECT_EQ(sizeIfContested("T0:acq(l) T0:w(x) T0:rel(l) T1:racq(l) T1:r(x) T1:rrel(l)"), 0u);
  EXPECT_EQ(sizeIfContested("T0:acq(l) T0:w(x) T0:rel(l) T1:acq(l) T1:rel(l) T1:r(x)"), 6u);
  EXPECT_EQ(sizeIfContested("T0:racq(l) T0:w(x) T0:rrel(l) T1:racq(l) T1:r(x) T1:rrel(l)"), 6u);
}

TEST(WindowTrace, LocksThatDifferFromPairToPairProtectAsWell) {
  EXPECT_EQ(sizeIfContested("T0:acq(l) T0:acq(m) T0:w(x) T0:rel(m) T0:rel(l) T1:acq(l) T1:acq(n) T1:w(x) "
                            "T1:rel(n) T1:rel(l) T2:acq(m) T2:acq(n) T2:w(x) T2:rel(n) T2:rel(m)"),
            0u);
}

TEST(WindowTrace, SectionsThatOverlapProtectAsLongAsTheyLast) {  // locked hand over hand
  EXPECT_EQ(sizeIfContested("T0:acq(a) T0:acq(b) T0:rel(a) T0:w(x) T0:rel(b) T1:acq(b) T1:w(x) T1:rel(b)"),
            0u);
  EXPECT_EQ(sizeIfContested("T0:acq(a) T0:acq(b) T0:rel(a) T0:w(x) T0:rel(b) T1:acq(a) T1:w(x) T1:rel(a)"),
            8u);
}

TEST(WindowTrace, WithHardOrderThereIsNothingToDo) {
  EXPECT_EQ(sizeIfContested("T0:w(x) T0:fork(T1) T1:w(x) T0:join(T1) T0:w(x)"), 0u);
  EXPECT_EQ(sizeIfContested("T0:w(x) T0:snd(c) T1:rcv(c) T1:w(x)"), 0u);
  EXPECT_EQ(sizeIfContested("T0:w(x) T0:fork(T1) T0:w(x) T1:w(x)"), 4u);
  EXPECT_EQ(sizeIfContested("T0:snd(c) T0:w(x) T1:rcv(c) T1:w(x)"), 4u);
}

TEST(WindowTrace, ReadersAndAtomicAccessesAloneAreNothingToDo) {
  EXPECT_EQ(sizeIfContested("T0:r(x) T1:r(x) T0:w(y)"), 0u);
  EXPECT_EQ(sizeIfContested("T0:aw(x) T1:aw(x) T0:au(x)"), 0u);
  EXPECT_EQ(sizeIfContested("T0:aw(x) T1:aw(x) T0:r(x)"), 3u);
}

TEST(WindowTrace, LocksHeldFromBeforeProtect) {
  CutTrace t = cutAt("T0:acq(l) T0:w(x) T0:rel(l) T1:acq(l) T1:w(x)", 1);
  EXPECT_EQ(WindowTrace(t.window).size(), 0u);
  CutTrace other = cutAt("T0:acq(m) T0:w(x) T0:rel(m) T1:acq(l) T1:w(x)", 1);
  EXPECT_EQ(WindowTrace(other.window).size(), 4u);
}

TEST(WindowTrace, AnotherLifeOfALockDoesNotProtect) {
  Told t;
  t.on(Op::Acquire, 0, 5);
  t.write(0, 0);
  t.on(Op::Release, 0, 5);
  t.log.forget(LogEntry::kForgetLock, 5);
  t.on(Op::Acquire, 1, 5);
  t.write(1, 0);
  EXPECT_EQ(t.trace(/*skipIfSafe=*/true).size(), 5u);
}

// How much of it can be paid for.

TEST(WindowTrace, WhatIsAffordableFits) {
  for (uint64_t seed = 0; seed < 10; ++seed) {
    RandomEvents random(seed, {.threads = 8, .locks = 4, .variables = 20, .accesses = 0.6});
    std::vector<Event> events;
    for (int k = 0; k < 3000; ++k) events.push_back(random.next());
    WindowTrace trace(windowOf(events), false);
    EXPECT_EQ(trace.affordable(~size_t{0}), 0u);
    EXPECT_EQ(trace.affordable(0), trace.size());
    uint32_t last = trace.size();
    for (size_t bytes : {10'000, 100'000, 300'000}) {
      uint32_t place = trace.affordable(bytes);
      EXPECT_LT(place, last) << bytes;
      EXPECT_LE(RecordedTrace(trace.from(place)).memoryBytes(), bytes) << seed;
      last = place;
    }
  }
}

}  // namespace
}  // namespace predrace
