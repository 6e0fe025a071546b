#include "runtime/engines/vindicator.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "runtime/engines/check.h"
#include "runtime/engines/syncp_set.h"
#include "test/unit/engines/traces.h"

namespace predrace {
namespace {

using Verdict = Vindicator::Verdict;
bool never() { return false; }

// A trace and who is asked about it.
struct Court {
  explicit Court(const std::vector<Event>& events) : trace(events), osr(trace), vindicator(trace, osr) {}
  explicit Court(std::string_view text) : Court(written(text).events) {}

  Verdict verdict(uint32_t i, uint32_t j) { return vindicator.vindicate(i, j, never); }
  // Is the schedule of the last pair one? Ids are indices here.
  std::string fault(uint32_t i, uint32_t j) {
    const std::vector<uint32_t>& s = vindicator.schedule();
    return WitnessChecker(trace.events()).check(std::vector<uint64_t>(s.begin(), s.end()), i, j);
  }

  RecordedTrace trace;
  OsrSearch osr;
  Vindicator vindicator;
};

// Which engines see the pair.
std::string seenBy(std::string_view text, uint32_t i, uint32_t j) {
  RecordedTrace trace(written(text).events);
  std::string out;
  if (OsrSearch(trace).race(i, j)) out += " osr";
  Cut cut = trace.none();
  trace.includeBefore(cut, i);
  trace.includeBefore(cut, j);
  if (closeSyncPreserving(trace, &cut) && !trace.contains(cut, i) && !trace.contains(cut, j)) out += " syncp";
  if (m2::Decision(trace).decide(i, j).race) out += " m2";
  return out;
}

void witnessedBy(const char* engines, std::string_view text, uint32_t i, uint32_t j) {
  EXPECT_EQ(seenBy(text, i, j), engines) << text;
  Court court(text);
  EXPECT_EQ(court.verdict(i, j), Verdict::Witnessed) << text;
  EXPECT_EQ(court.fault(i, j), "") << text;
  EXPECT_EQ(court.vindicator.rejected(), 0u);
}

TEST(Vindicator, WitnessesWhatOnlyOsrSees) {
  witnessedBy(" osr", "T4:acq(l) T4:w(y) T3:w(x) T4:r(x) T4:rel(l) T2:acq(l) T2:rel(l) T2:r(y) T2:w(x)", 2,
              8);
}

// OSR ends t0's section, and in it the one of the other lock that t2 is in.
TEST(Vindicator, WitnessesWhatOnlySyncPSees) {
  witnessedBy(" syncp", "T0:acq(k) T2:acq(l) T0:ar(y) T2:w(y) T1:aw(y) T2:rel(l) T0:acq(l) T0:rel(k)", 3, 4);
}

TEST(Vindicator, WitnessesWhatOnlyM2Sees) {
  // Two writes of y that nobody reads change places.
  witnessedBy(" m2", "T1:acq(l) T1:w(y) T1:r(x) T2:w(y) T1:rel(l) T2:acq(l) T2:rel(l) T2:w(x)", 2, 7);
  // Closed sections do: hand over hand.
  witnessedBy(" m2",
              "T1:acq(a) T1:acq(b) T1:rel(a) T1:w(x) T1:acq(c) T1:rel(b) T1:rel(c) "
              "T2:acq(a) T2:acq(b) T2:rel(a) T2:acq(c) T2:rel(b) T2:w(x) T2:rel(c)",
              3, 12);
}

TEST(Vindicator, M2sFiguresAreWitnessed) {
  for (auto [text, i, j] :
       {std::tuple("1:acq(l) 1:w(x) 1:rel(l) 2:acq(l) 2:w(x) 2:rel(l) 2:r(x)", 1, 6),
        std::tuple("1:acq(k) 1:w(x) 1:w(y) 1:rel(k) 2:acq(k) 2:acq(l) 2:w(z) 2:rel(l) 2:w(y) "
                   "2:rel(k) 3:acq(l) 3:r(z) 3:rel(l) 3:w(x)",
                   1, 13),
        std::tuple("1:acq(l) 1:w(x) 1:rel(l) 2:acq(l) 2:w(y) 2:rel(l) 1:w(z) 2:r(z) 3:r(y) "
                   "3:w(x)",
                   1, 9),
        std::tuple("1:w(x) 1:acq(l) 1:acq(k) 1:w(x) 1:rel(k) 1:w(z) 1:rel(l) 2:acq(l) 2:w(x) "
                   "2:rel(l) 3:acq(l) 3:rel(l) 3:acq(k) 3:r(x) 3:rel(k) 3:w(z)",
                   5, 15)}) {
    Court court{std::string_view(text)};
    EXPECT_EQ(court.verdict(i, j), Verdict::Witnessed) << text;
    EXPECT_EQ(court.fault(i, j), "") << text;
  }
}

TEST(Vindicator, RefusesPairsThatMustBeInOrder) {
  EXPECT_EQ(Court("T0:w(x) T0:fork(T1) T1:w(x)").verdict(0, 2), Verdict::Refused);
  EXPECT_EQ(Court("T0:fork(T1) T1:w(x) T0:join(T1) T0:w(x)").verdict(1, 3), Verdict::Refused);
  EXPECT_EQ(Court("T0:w(x) T0:snd(c) T1:rcv(c) T1:w(x)").verdict(0, 3), Verdict::Refused);
  EXPECT_EQ(Court("T0:w(x) T0:at(o) T1:at(o) T1:w(x)").verdict(0, 3), Verdict::Refused);
  EXPECT_EQ(Court("T0:w(x) T0:w(y) T1:r(y) T1:w(x)").verdict(0, 3), Verdict::Refused);
}

TEST(Vindicator, RefusesWhatALockKeepsApart) {
  EXPECT_EQ(Court("T0:acq(l) T0:w(x) T0:rel(l) T1:acq(l) T1:w(x) T1:rel(l)").verdict(1, 4), Verdict::Refused);
  EXPECT_EQ(Court("T0:acq(l) T0:acq(m) T0:rel(m) T0:w(x) T0:rel(l) T1:acq(m) T1:acq(l) T1:rel(l) T1:w(x) "
                  "T1:rel(m)")
                .verdict(3, 8),
            Verdict::Refused)
      << "a deadlock, no race";
}

TEST(Vindicator, APairThatMustBeInOrderNeedsNoTime) {
  bool asked = false;
  Court court("T0:w(x) T0:fork(T1) T1:w(x)");
  EXPECT_EQ(court.vindicator.vindicate(0, 2, [&] { return asked = true; }), Verdict::Refused);
  EXPECT_FALSE(asked);
}

// One step after the other, each as long as there is time.
TEST(Vindicator, IsUndecidedWhenItHasToStop) {
  constexpr std::string_view kOnlyM2 =
      "T1:acq(l) T1:w(y) T1:r(x) T2:w(y) T1:rel(l) T2:acq(l) T2:rel(l) T2:w(x)";
  for (int steps : {0, 1, 2, 3}) {
    Court court(kOnlyM2);
    int asked = 0;
    Verdict v = court.vindicator.vindicate(2, 7, [&] { return asked++ == steps; });
    EXPECT_EQ(v, steps < 3 ? Verdict::Undecided : Verdict::Witnessed) << steps;
  }
  Court court("T0:w(x) T1:w(x)");
  int asked = 0;
  EXPECT_EQ(court.vindicator.vindicate(0, 1, [&] { return asked++ == 1; }), Verdict::Witnessed)
      << "the first step was enough";
}

// Trusted cuts.

TEST(Vindicator, SchedulesStayInTheTrustedCut) {
  // Of t1 the schedule needs the first three, of t0 nothing.
  constexpr std::string_view kText = "T0:w(x) T0:acq(l) T0:rel(l) T1:acq(l) T1:rel(l) T1:r(y) T1:w(x)";
  for (uint32_t trusted : {0, 1, 2, 3, 4}) {
    Court court(kText);
    court.vindicator.trustUpTo({0, trusted});
    EXPECT_EQ(court.verdict(0, 6), trusted < 3 ? Verdict::Untrusted : Verdict::Witnessed) << trusted;
  }
}

TEST(Vindicator, WhatHasNoScheduleIsRefusedWhateverIsTrusted) {
  Court court("T0:acq(l) T0:w(x) T0:rel(l) T1:acq(l) T1:w(x) T1:rel(l)");
  court.vindicator.trustUpTo({0, 0});
  EXPECT_EQ(court.verdict(1, 4), Verdict::Refused);
}

TEST(Vindicator, AnotherEnginesScheduleMayBeTrusted) {
  // OSR ends the first thread's section, which the others leave open.
  constexpr std::string_view kText = "T0:acq(l) T0:w(y) T1:r(y) T0:r(z) T0:rel(l) T1:w(x) T2:w(x)";
  for (uint32_t trusted : {1, 2, 3, 4}) {
    Court court(kText);
    court.vindicator.trustUpTo({trusted, 1, 0});
    EXPECT_EQ(court.verdict(5, 6), trusted < 2 ? Verdict::Untrusted : Verdict::Witnessed) << trusted;
    if (trusted < 2) continue;
    EXPECT_EQ(court.fault(5, 6), "");
    EXPECT_EQ(court.vindicator.schedule().size(), trusted < 4 ? 3u : 5u) << trusted;
  }
}

// Schedules from elsewhere.

TEST(Vindicator, ExaminesSchedulesFromElsewhere) {
  Court court("T0:acq(l) T0:w(x) T0:rel(l) T1:acq(l) T1:rel(l) T1:w(x)");
  EXPECT_EQ(court.vindicator.examine({3, 4, 0}, 1, 5), Verdict::Witnessed);
  EXPECT_EQ(court.vindicator.schedule(), (std::vector<uint32_t>{3, 4, 0}));
  EXPECT_EQ(court.vindicator.rejected(), 0u);
  EXPECT_EQ(court.vindicator.examine({0, 3, 4}, 1, 5), Verdict::Refused) << "takes a lock that is held";
  EXPECT_EQ(court.vindicator.rejected(), 1u);
  EXPECT_EQ(court.vindicator.schedule(), (std::vector<uint32_t>{3, 4, 0})) << "of the last one accepted";
  court.vindicator.trustUpTo({1, 1});
  EXPECT_EQ(court.vindicator.examine({3, 4, 0}, 1, 5), Verdict::Untrusted);
  EXPECT_EQ(court.vindicator.rejected(), 1u) << "the schedule is none the worse";
}

TEST(Vindicator, EventsAreToldToTheCheckerByTheirIndices) {
  std::vector<Event> events = written("T0:acq(l) T0:w(x) T0:rel(l) T1:acq(l) T1:rel(l) T1:w(x)").events;
  for (Event& e : events) e.index = 1000 + 3 * e.index;
  Court court(events);
  EXPECT_EQ(court.verdict(1, 5), Verdict::Witnessed);
  EXPECT_EQ(court.vindicator.schedule().back(), 0u) << "schedules are of ids";
}

bool conflict(const Event& a, const Event& b) {
  return isAccess(a.op) && isAccess(b.op) && a.target == b.target && a.thread != b.thread &&
         (writes(a.op) || writes(b.op)) && !(isAtomic(a.op) && isAtomic(b.op));
}

// It witnesses exactly what one of the three sees, and the checker is never needed.
TEST(Vindicator, WitnessesWhatAnyEngineSees) {
  size_t osrOnly = 0, syncpOnly = 0, m2Only = 0;
  for (uint64_t seed = 0; seed < 120; ++seed) {
    RandomEvents random(seed, {.threads = 3 + static_cast<uint32_t>(seed % 4),
                               .locks = 3,
                               .variables = 3,
                               .accesses = 0.45,
                               .extras = seed % 3 == 0 ? 0.1 : 0,
                               .nested = seed % 2 == 0});
    std::vector<Event> events;
    for (int k = 0; k < 50; ++k) events.push_back(random.next());
    Court court(events);
    m2::Decision m2(court.trace);
    for (uint32_t j = 0; j < events.size(); ++j) {
      for (uint32_t i = 0; i < j; ++i) {
        if (!conflict(events[i], events[j])) continue;
        Verdict verdict = court.verdict(i, j);
        if (verdict == Verdict::Witnessed) ASSERT_EQ(court.fault(i, j), "") << seed;
        if (court.trace.mustPrecede(i, j)) {
          ASSERT_EQ(verdict, Verdict::Refused) << seed;
          continue;
        }
        bool osr = court.osr.race(i, j), decided = m2.decide(i, j).race;
        Cut cut = court.trace.none();
        court.trace.includeBefore(cut, i);
        court.trace.includeBefore(cut, j);
        bool syncp = closeSyncPreserving(court.trace, &cut) && !court.trace.contains(cut, i) &&
                     !court.trace.contains(cut, j);
        ASSERT_EQ(verdict, osr || syncp || decided ? Verdict::Witnessed : Verdict::Refused)
            << seed << ": " << i << ", " << j;
        osrOnly += osr && !syncp && !decided;
        syncpOnly += syncp && !osr && !decided;
        m2Only += decided && !osr && !syncp;
      }
    }
    EXPECT_EQ(court.vindicator.rejected(), 0u) << seed;
  }
  EXPECT_GT(osrOnly, 0u);
  EXPECT_GT(syncpOnly, 0u);
  EXPECT_GT(m2Only, 0u);
}

}  // namespace
}  // namespace predrace
