// What a live run may predict, by kind of synchronisation: traps and real cases.
//
// Each trap is a pair that plain CP reports, or that a reordering would show that forgets the kind's rule,
// but that no schedule brings together; each real case has such a schedule, which the kind's events are in
// the way of or part of. oracle.py (cp, hb and predictable) says the same of every trace here.
#include <gtest/gtest.h>

#include <set>
#include <string_view>
#include <vector>

#include "runtime/engines/check.h"
#include "runtime/engines/online.h"
#include "test/unit/engines/traces.h"

namespace predrace {
namespace {

using Pairs = std::set<Pair>;

// What the engine reports: of this run, and predicted. Each prediction has a witness that the checker
// accepts.
struct Reported {
  Pairs unordered, predicted;
};
Reported reported(std::string_view text) {
  Reported out;
  std::vector<Event> events = written(text).events;
  WitnessChecker checker(events);
  OnlineEngine engine([&](const Race& r) {
    (r.unordered ? out.unordered : out.predicted).emplace(r.first.index, r.second.index);
    if (!r.unordered) EXPECT_NE(r.witness, nullptr) << text;
    if (r.witness) EXPECT_EQ(checker.check(r.witness->schedule(), r.first.index, r.second.index), "") << text;
  });
  engine.run(events);
  engine.finish();
  return out;
}

// No schedule shows a race; CP reports `candidates`.
void trap(std::string_view text, const Pairs& candidates) {
  EXPECT_EQ(pairsOf(racesOf(text, {.hand_over = false})), candidates) << text;
  Reported r = reported(text);
  EXPECT_EQ(r.predicted, Pairs()) << text;
  EXPECT_EQ(r.unordered, Pairs()) << text;
}
// The only race of any schedule is this one, and happens-before orders it.
void real(std::string_view text, Pair race) {
  Reported r = reported(text);
  EXPECT_EQ(r.predicted, Pairs{race}) << text;
  EXPECT_EQ(r.unordered, Pairs()) << text;
}
const Pairs kNotCp;  // CP orders the pair of the trap

// Locks that are not nested, hand-over-hand.

TEST(OnlineRules, LocksThatAreNotNestedMayProtectWithoutACommonOne) {  // cp_nonnested_unsound
  trap("T2:acq(l0) T2:acq(l1) T2:rel(l0) T2:w(x0) T2:rel(l1) T1:acq(l0) T1:acq(l1) T1:rel(l1) T1:w(x0)",
       {{3, 8}});
}

// t1 writes under c; t2 writes under b, after it has been in c. Nobody passes t2 in b, so t2 was in c either
// before t1 came or after t1 had left.
TEST(OnlineRules, NobodyOvertakesInAListLockedHandOverHand) {
  trap(
      "T1:acq(a) T1:acq(b) T1:rel(a) T1:acq(c) T1:rel(b) T1:w(x) T1:rel(c) "
      "T2:acq(a) T2:acq(b) T2:rel(a) T2:acq(c) T2:rel(c) T2:w(x) T2:rel(b)",
      {{5, 12}});
}

TEST(OnlineRules, OneNodeLockedHandOverHandProtects) {
  trap("T1:acq(a) T1:acq(b) T1:rel(a) T1:w(x) T1:rel(b) T2:acq(a) T2:acq(b) T2:rel(a) T2:w(x) T2:rel(b)",
       kNotCp);
}

TEST(OnlineRules, HandOverHandHidesARaceBeforeAndAfter) {
  real("T1:w(x) T1:acq(a) T1:acq(b) T1:rel(a) T1:rel(b) T2:acq(a) T2:acq(b) T2:rel(a) T2:rel(b) T2:w(x)",
       {0, 9});
}

// They meet if t2 goes first. OSR keeps the sections of the first node as they were, so it does not see that;
// M2 does.
TEST(OnlineRules, DifferentNodesOfAListLockedHandOverHandDoNotProtect) {
  real(
      "T1:acq(a) T1:acq(b) T1:rel(a) T1:w(x) T1:acq(c) T1:rel(b) T1:rel(c) "
      "T2:acq(a) T2:acq(b) T2:rel(a) T2:acq(c) T2:rel(b) T2:w(x) T2:rel(c)",
      {3, 12});
}

// Shared sections.

// Each must have been in the other's lock before: the one that is excluded waits, whoever shares.
TEST(OnlineRules, CrossedSectionsOfAWriterAndAReaderAreADeadlock) {
  trap("T1:acq(a) T1:racq(b) T1:rrel(b) T1:w(x) T1:rel(a) T2:acq(b) T2:racq(a) T2:rrel(a) T2:w(x) T2:rel(b)",
       {{3, 8}});
  trap("T1:racq(a) T1:acq(m) T1:rel(m) T1:r(x) T1:rrel(a) T2:acq(m) T2:acq(a) T2:rel(a) T2:w(x) T2:rel(m)",
       {{3, 8}});
}

TEST(OnlineRules, CrossedSectionsOfReadersAreNone) {  // the same, but a is only ever shared
  real("T1:acq(m) T1:racq(a) T1:rrel(a) T1:w(x) T1:rel(m) T2:racq(a) T2:acq(m) T2:rel(m) T2:w(x) T2:rrel(a)",
       {3, 8});
}

TEST(OnlineRules, AWriterWaitsForEveryReader) {
  trap("T1:racq(l) T1:r(x) T1:rrel(l) T2:acq(l) T2:w(x) T2:rel(l)", kNotCp);
  trap("T1:racq(l) T1:w(x) T1:rrel(l) T2:racq(l) T2:aw(f) T2:rrel(l) T3:acq(l) T3:ar(f) T3:w(x) T3:rel(l)",
       kNotCp);
}

TEST(OnlineRules, ReadersAndWritersCanBeTurnedRound) {
  real("T1:w(x) T1:racq(l) T1:rrel(l) T2:acq(l) T2:rel(l) T2:w(x)", {0, 5});
  real("T1:w(x) T1:acq(l) T1:rel(l) T2:racq(l) T2:rrel(l) T2:w(x)", {0, 5});
}

TEST(OnlineRules, AWriterBetweenThemDoesNotKeepReadersApart) {
  real("T1:racq(l) T1:w(x) T1:rrel(l) T2:acq(l) T2:rel(l) T2:racq(l) T2:w(x) T2:rrel(l)", {1, 6});
}

// Condition variables: a wait is at(cv) rel, then acq at(cv); a notification is at(cv).

TEST(OnlineRules, NobodyWakesUnnotified) {
  trap(
      "T2:acq(m) T2:at(cv) T2:rel(m) T1:w(x) T1:at(cv) T1:acq(m) T1:rel(m) "
      "T2:acq(m) T2:at(cv) T2:rel(m) T2:w(x)",
      {{3, 10}});
  trap(
      "T2:acq(m) T2:at(cv) T2:rel(m) T1:w(x) T1:acq(m) T1:at(cv) T1:rel(m) "
      "T2:acq(m) T2:at(cv) T2:rel(m) T2:w(x)",
      kNotCp);  // the same with the notification in the section
}

TEST(OnlineRules, NobodyNotifiesBeforeTheOtherWaits) {
  trap(
      "T2:w(x) T2:acq(m) T2:at(cv) T2:rel(m) T1:at(cv) T1:acq(m) T1:rel(m) T1:w(x) "
      "T2:acq(m) T2:at(cv) T2:rel(m)",
      {{0, 7}});
}

TEST(OnlineRules, WhatFollowsTheNotificationCanBeLate) {
  real(
      "T2:acq(m) T2:at(cv) T2:rel(m) T1:acq(m) T1:at(cv) T1:rel(m) T1:w(x) T1:acq(m) T1:rel(m) "
      "T2:acq(m) T2:at(cv) T2:rel(m) T2:w(x)",
      {6, 12});
}

TEST(OnlineRules, WhatPrecedesTheNotificationCanBeEarly) {
  real(
      "T2:w(x) T2:acq(m) T2:at(cv) T2:rel(m) T1:acq(m) T1:rel(m) T1:w(x) T1:acq(m) T1:at(cv) T1:rel(m) "
      "T2:acq(m) T2:at(cv) T2:rel(m)",
      {0, 6});
}

// Semaphores. Hard order is part of CP, so what it orders directly is no candidate of CP; together with kept
// order, which makes no edge of CP, it is.

TEST(OnlineRules, NobodyTakesWhatWasNotPosted) {
  trap("T1:w(x) T1:acq(l) T1:rel(l) T1:snd(s) T2:rcv(s) T2:acq(l) T2:rel(l) T2:w(x)", kNotCp);
  trap("T1:w(x) T1:aw(f) T1:acq(l) T1:rel(l) T2:ar(f) T2:snd(s) T3:acq(l) T3:rel(l) T3:rcv(s) T3:w(x)",
       {{0, 9}});
  trap("T1:w(x) T1:snd(s) T2:rcv(s) T2:aw(f) T1:acq(l) T1:rel(l) T3:acq(l) T3:ar(f) T3:w(x) T3:rel(l)",
       {{0, 8}});
}

TEST(OnlineRules, ALockCanProtectWhatASemaphoreLends) {  // t2 writes while t1 holds the lock for it
  trap(
      "T1:acq(l) T1:w(x) T1:snd(s) T2:rcv(s) T2:w(x) T2:snd(t) T1:rcv(t) T1:rel(l) T3:acq(l) T3:w(x) "
      "T3:rel(l)",
      kNotCp);
}

TEST(OnlineRules, WhatFollowsThePostIsFree) {
  real("T1:snd(s) T1:w(x) T1:acq(l) T1:rel(l) T2:rcv(s) T2:acq(l) T2:rel(l) T2:w(x)", {1, 7});
  real(
      "T1:acq(l) T1:snd(s) T1:rel(l) T2:rcv(s) T1:w(x) T1:acq(l) T1:rel(l) T2:acq(l) T2:rel(l) T2:w(x) "
      "T2:snd(t) T1:rcv(t)",
      {4, 9});
}

TEST(OnlineRules, APostThatNobodyTookOrdersNothing) {
  real("T0:snd(s) T0:snd(s) T1:rcv(s) T1:w(x) T1:acq(l) T1:rel(l) T1:snd(s) T2:acq(l) T2:rel(l) T2:w(x)",
       {3, 9});
}

// Barriers: all that arrive send, all that leave receive. Hard order again.

TEST(OnlineRules, NobodyLeavesABarrierBeforeAllHaveArrived) {
  trap("T1:w(x) T1:acq(l) T1:rel(l) T1:snd(b) T2:snd(b) T2:rcv(b) T2:acq(l) T2:rel(l) T2:w(x) T1:rcv(b)",
       kNotCp);
  trap(
      "T1:w(x) T1:aw(f) T1:acq(l) T1:rel(l) T2:ar(f) T2:snd(b) T3:snd(b) T2:rcv(b) T3:rcv(b) "
      "T3:acq(l) T3:rel(l) T3:w(x)",
      {{0, 11}});
}

TEST(OnlineRules, EachGenerationOfABarrierOrders) {
  trap(
      "T1:snd(b1) T2:snd(b1) T1:rcv(b1) T2:rcv(b1) T1:w(x) T1:acq(l) T1:rel(l) T1:snd(b2) "
      "T2:acq(l) T2:rel(l) T2:snd(b2) T1:rcv(b2) T2:rcv(b2) T2:w(x)",
      kNotCp);
}

TEST(OnlineRules, APhaseBetweenTwoBarriersHasNoOrder) {
  real(
      "T1:snd(b1) T2:snd(b1) T1:rcv(b1) T2:rcv(b1) T1:w(x) T1:acq(l) T1:rel(l) T1:snd(b2) "
      "T2:acq(l) T2:rel(l) T2:w(x) T2:snd(b2) T1:rcv(b2) T2:rcv(b2)",
      {4, 10});
}

TEST(OnlineRules, ABarrierOfOthersOrdersNothing) {
  real("T1:w(x) T1:acq(l) T1:rel(l) T2:snd(b) T3:snd(b) T2:rcv(b) T3:rcv(b) T3:acq(l) T3:rel(l) T3:w(x)",
       {0, 9});
}

// Atomics.

TEST(OnlineRules, AtomicAccessesKeepTheirOrder) {
  trap("T1:w(x) T1:acq(l) T1:rel(l) T1:aw(f) T2:ar(f) T2:acq(l) T2:rel(l) T2:w(x)", {{0, 7}});
  trap("T1:w(x) T1:au(n) T1:acq(l) T1:rel(l) T2:au(n) T2:acq(l) T2:rel(l) T2:w(x)", {{0, 7}});
  trap("T1:w(x) T1:ar(f) T1:acq(l) T1:rel(l) T2:aw(f) T2:acq(l) T2:rel(l) T2:w(x)", {{0, 7}});
}

TEST(OnlineRules, AtomicAccessesKeepTheirOrderInAndOutOfSections) {
  trap("T1:w(x) T1:acq(l) T1:rel(l) T1:au(n) T2:acq(l) T2:au(n) T2:rel(l) T2:w(x)", {{0, 7}});
}

TEST(OnlineRules, AnAcquireComesAfterTheReleaseThatItRead) {
  trap("T1:w(x) T1:acq(l) T1:rel(l) T1:aw(f) T1:snd(c) T2:rcv(c) T2:ar(f) T2:acq(l) T2:rel(l) T2:w(x)",
       kNotCp);
  trap(
      "T1:w(x) T1:aw(f) T1:acq(l) T1:rel(l) T2:ar(f) T2:aw(g) T2:snd(c) T3:rcv(c) T3:ar(g) "
      "T3:acq(l) T3:rel(l) T3:w(x)",
      {{0, 11}});  // a relaxed store, passed on by a release
}

TEST(OnlineRules, WhatFollowsAnAtomicStoreIsFree) {
  real("T1:aw(f) T1:w(x) T1:acq(l) T1:rel(l) T2:ar(f) T2:acq(l) T2:rel(l) T2:w(x)", {1, 7});
  real("T1:aw(f) T1:snd(c) T1:w(x) T1:acq(l) T1:rel(l) T2:rcv(c) T2:ar(f) T2:acq(l) T2:rel(l) T2:w(x)",
       {2, 9});
}

TEST(OnlineRules, AnAtomicAccessRacesWithAPlainOne) {
  real("T1:aw(x) T1:acq(l) T1:rel(l) T2:acq(l) T2:rel(l) T2:r(x)", {0, 5});
}

// OpenMP regions: fork and join, or snd and rcv around workers that stay; c is a critical section's lock.

TEST(OnlineRules, AnImplicitBarrierAndTheEndOfARegionOrder) {
  trap(
      "T0:fork(T1) T0:w(x) T0:acq(c) T0:rel(c) T0:snd(b) T1:snd(b) T0:rcv(b) T1:rcv(b) "
      "T1:acq(c) T1:rel(c) T1:w(x) T0:join(T1)",
      kNotCp);
  trap("T0:fork(T1) T1:w(x) T1:acq(c) T1:rel(c) T0:acq(c) T0:rel(c) T0:join(T1) T0:w(x)", kNotCp);
}

TEST(OnlineRules, AnAtomicConstructKeepsItsOrderInARegion) {
  trap("T0:fork(T1) T0:w(x) T0:au(n) T0:acq(c) T0:rel(c) T1:au(n) T1:acq(c) T1:rel(c) T1:w(x) T0:join(T1)",
       {{1, 8}});
  trap(
      "T0:fork(T1) T0:fork(T2) T1:w(x) T1:au(n) T1:acq(c) T1:rel(c) T2:au(n) T2:snd(s) T0:rcv(s) "
      "T0:acq(c) T0:rel(c) T0:w(x) T0:join(T1) T0:join(T2)",
      {{2, 11}});  // passed on by what a single construct copies
}

TEST(OnlineRules, WorkersOfOneRegionAreFree) {
  real(
      "T0:fork(T1) T0:fork(T2) T1:w(x) T1:acq(c) T1:rel(c) T2:acq(c) T2:rel(c) T2:w(x) T0:join(T1) "
      "T0:join(T2)",
      {2, 7});
  real(
      "T0:fork(T1) T0:snd(b) T1:snd(b) T0:rcv(b) T1:rcv(b) T1:w(x) T1:acq(c) T1:rel(c) "
      "T0:acq(c) T0:rel(c) T0:w(x) T0:join(T1)",
      {5, 10});
  real(
      "T0:fork(T1) T0:snd(b1) T1:snd(b1) T0:rcv(b1) T1:rcv(b1) T1:acq(c) T1:w(x) T1:rel(c) "
      "T0:acq(c) T0:rel(c) T0:w(x) T0:snd(b2) T1:snd(b2) T0:rcv(b2) T1:rcv(b2) T0:join(T1)",
      {6, 10});
}

// Threads created and joined in critical sections.

TEST(OnlineRules, AThreadCreatedInASectionComesAfterItsCreation) {
  trap("T1:w(x) T1:acq(l) T1:fork(T2) T1:rel(l) T2:acq(l) T2:rel(l) T2:w(x)", kNotCp);
  // t3's section read what the new thread wrote, so it is not the earlier one.
  trap("T1:acq(l) T1:w(x) T1:fork(T2) T1:rel(l) T2:aw(f) T3:acq(l) T3:ar(f) T3:rel(l) T3:w(x)", {{1, 8}});
}

TEST(OnlineRules, AThreadJoinedInASectionIsProtectedByIt) {
  trap("T1:acq(l) T1:fork(T2) T2:w(x) T1:join(T2) T1:rel(l) T3:acq(l) T3:w(x) T3:rel(l)", kNotCp);
  trap("T3:acq(l) T3:w(x) T3:rel(l) T1:acq(l) T1:fork(T2) T2:w(x) T1:join(T2) T1:rel(l)", kNotCp);
}

TEST(OnlineRules, AJoinInASectionComesAfterTheThreadsEnd) {
  trap("T1:fork(T2) T3:w(x) T3:aw(f) T3:acq(l) T3:rel(l) T2:ar(f) T1:acq(l) T1:join(T2) T1:rel(l) T1:w(x)",
       {{1, 9}});
  trap("T1:fork(T2) T2:acq(k) T2:w(x) T2:rel(k) T1:acq(l) T1:join(T2) T1:w(x) T1:rel(l)", kNotCp);
}

TEST(OnlineRules, WhatFollowsTheCreationIsFree) {
  real("T1:acq(l) T1:fork(T2) T1:rel(l) T1:w(x) T1:acq(l) T1:rel(l) T2:acq(l) T2:rel(l) T2:w(x)", {3, 8});
}

TEST(OnlineRules, WhatPrecedesTheJoinIsFree) {
  real("T1:fork(T2) T1:w(x) T1:acq(l) T1:rel(l) T2:acq(l) T2:rel(l) T2:w(x) T1:acq(l) T1:join(T2) T1:rel(l)",
       {1, 6});
}

// CP orders these, being closed under happens-before. The window's search sees them.
TEST(OnlineRules, TheCreatorsSectionCanBeTheEarlierOne) {
  real("T3:w(x) T3:acq(l) T3:rel(l) T1:acq(l) T1:fork(T2) T2:w(x) T1:join(T2) T1:rel(l)", {0, 5});
  real("T1:fork(T2) T2:acq(k) T2:w(x) T2:rel(k) T1:acq(l) T1:join(T2) T1:rel(l) T3:acq(l) T3:rel(l) T3:w(x)",
       {2, 9});
}

// The figures of the papers.

TEST(OnlineRules, Raptor1a) {
  real("T1:w(x) T1:acq(m) T1:w(y) T1:rel(m) T2:acq(m) T2:w(z) T2:rel(m) T2:w(x)", {0, 7});
}

TEST(OnlineRules, Raptor7) {
  real(
      "T1:w(z) T1:acq(q) T1:rel(q) T1:acq(m) T1:rel(m) T2:acq(q) T2:rel(q) T2:acq(n) T2:w(y) T2:rel(n) "
      "T3:acq(m) T3:acq(o) T3:rel(o) T4:acq(o) T4:rel(o) T4:w(z) T3:acq(n) T3:w(y) T3:rel(n) T3:rel(m)",
      {0, 15});
}

TEST(OnlineRules, Osr1) {  // all are unordered in this run already
  Reported r = reported(
      "t1:w(x) t1:w(y) t2:acq(l) t2:w(a) t2:r(y) t2:rel(l) t3:acq(l) t3:w(b) t3:rel(l) t4:r(a) t4:r(b) "
      "t4:w(x)");
  EXPECT_EQ(r.unordered, (Pairs{{0, 11}, {1, 4}, {3, 9}, {7, 10}}));
  EXPECT_EQ(r.predicted, Pairs());
}

// The same, but atomic but for x, and ordered by k in this run: only x races, and only if t3's section comes
// before t2's, which is in it still.
TEST(OnlineRules, Osr1Ordered) {
  real(
      "t1:w(x) t1:aw(y) t1:acq(k) t1:rel(k) t2:acq(l) t2:aw(a) t2:ar(y) t2:rel(l) t3:acq(l) t3:aw(b) "
      "t3:rel(l) t4:ar(a) t4:ar(b) t4:acq(k) t4:rel(k) t4:w(x)",
      {0, 15});
  trap(
      "t1:w(x) t1:aw(y) t1:acq(k) t1:rel(k) t2:acq(l) t2:ar(y) t2:aw(a) t2:rel(l) t3:acq(l) t3:aw(b) "
      "t3:rel(l) t4:ar(a) t4:ar(b) t4:acq(k) t4:rel(k) t4:w(x)",
      {{0, 15}});  // what t4 read of t2 was written after it had seen y
}

TEST(OnlineRules, Osr2) { real("t1:w(x) t1:acq(l) t1:rel(l) t2:acq(l) t2:w(x) t2:rel(l)", {0, 4}); }

TEST(OnlineRules, M2Figure1a) {  // CP orders it
  real("p1:acq(l) p1:w(x) p1:rel(l) p2:acq(l) p2:w(x) p2:rel(l) p2:r(x)", {1, 6});
}

// CP orders it by the conflict on y, but nobody reads what is written there.
TEST(OnlineRules, SectionsThatOnlyWriteCanBeTurnedRound) {
  real("T1:w(x) T1:acq(m) T1:w(y) T1:rel(m) T2:acq(m) T2:w(y) T2:rel(m) T2:w(x)", {0, 7});
}

// A pair that is unordered in this run is a race of this run, with or without another schedule: none wakes
// the second waiter before the notification that follows the write.
TEST(OnlineRules, AnUnorderedPairNeedsNoOtherSchedule) {
  Reported r = reported(
      "T2:acq(m) T2:at(cv) T2:rel(m) T3:acq(m) T3:at(cv) T3:rel(m) T1:w(x) T1:at(cv) T2:acq(m) T2:at(cv) "
      "T2:rel(m) T1:at(cv) T3:acq(m) T3:at(cv) T3:rel(m) T3:w(x)");
  EXPECT_EQ(r.unordered, (Pairs{{6, 15}}));
  EXPECT_EQ(r.predicted, Pairs());
}

}  // namespace
}  // namespace predrace
