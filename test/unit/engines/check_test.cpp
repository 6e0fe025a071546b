#include "runtime/engines/check.h"

#include <gtest/gtest.h>

#include "test/unit/engines/traces.h"

namespace predrace {
namespace {

// What the checker says of a schedule for a race of events `first` and `second` of the text.
std::string checked(std::string_view text, const std::vector<uint64_t>& schedule, uint64_t first,
                    uint64_t second) {
  Written trace = written(text);
  return WitnessChecker(trace.events).check(schedule, first, second);
}

TEST(Check, AcceptsAReordering) {
  // The second section runs without the first one.
  EXPECT_EQ(checked("t1:w(x) t1:acq(l) t1:rel(l) t2:acq(l) t2:rel(l) t2:w(x)", {3, 4}, 0, 5), "");
}

TEST(Check, TheTwoMustConflict) {
  EXPECT_EQ(checked("t1:r(x) t2:r(x)", {}, 0, 1), "the two events do not conflict");
  EXPECT_EQ(checked("t1:w(x) t2:w(y)", {}, 0, 1), "the two events do not conflict");
  EXPECT_EQ(checked("t1:w(x) t1:w(x)", {}, 0, 1), "the two events do not conflict");
  EXPECT_EQ(checked("t1:aw(x) t2:ar(x)", {}, 0, 1), "the two events do not conflict");
  EXPECT_EQ(checked("t1:acq(l) t2:acq(m)", {}, 0, 1), "the two events do not conflict");
}

TEST(Check, ThreadsRunWithoutGaps) {
  constexpr std::string_view text = "t1:w(a) t1:w(b) t1:w(x) t2:w(x)";
  EXPECT_EQ(checked(text, {0, 1}, 2, 3), "");
  EXPECT_EQ(checked(text, {0}, 2, 3), "event 2: is not the next one of its thread");
  EXPECT_EQ(checked(text, {1}, 2, 3), "event 1: is not the next one of its thread");
  EXPECT_EQ(checked(text, {0, 0, 1}, 2, 3), "event 0: is not the next one of its thread");
  EXPECT_EQ(checked(text, {0, 1, 2}, 2, 3), "event 2: is not the next one of its thread");
  EXPECT_EQ(checked(text, {0, 9}, 2, 3), "event 9: is not in the trace");
}

TEST(Check, ReadsSeeTheSameWrites) {
  constexpr std::string_view text = "t1:w(y) t2:r(y) t2:w(x) t3:w(y) t3:w(x)";
  EXPECT_EQ(checked(text, {0, 1, 3}, 2, 4), "");
  EXPECT_EQ(checked(text, {1, 3}, 2, 4), "event 1: reads another value than in the trace");
  EXPECT_EQ(checked(text, {0, 3, 1}, 2, 4), "event 1: reads another value than in the trace");
}

TEST(Check, TheRacingReadMaySeeAnyWrite) { EXPECT_EQ(checked("t1:w(x) t2:r(x)", {}, 0, 1), ""); }

TEST(Check, ALockHasOneOwner) {
  constexpr std::string_view text = "t1:acq(l) t1:w(x) t1:rel(l) t2:acq(l) t2:rel(l) t2:w(x)";
  EXPECT_EQ(checked(text, {3, 4, 0}, 1, 5), "");
  EXPECT_EQ(checked(text, {0, 3, 4}, 1, 5), "event 3: takes a lock that is held");
}

TEST(Check, ReadersShareALockAndKeepWritersOut) {
  EXPECT_EQ(checked("t1:racq(l) t1:w(x) t1:rrel(l) t2:racq(l) t2:w(x) t2:rrel(l)", {0, 3}, 1, 4), "");
  EXPECT_EQ(checked("t1:racq(l) t1:w(x) t1:rrel(l) t2:acq(l) t2:w(x) t2:rel(l)", {0, 3}, 1, 4),
            "event 3: takes a lock that is held");
  EXPECT_EQ(checked("t1:acq(l) t1:w(x) t1:rel(l) t2:racq(l) t2:w(x) t2:rrel(l)", {0, 3}, 1, 4),
            "event 3: takes a lock that is held");
}

TEST(Check, ForksAndJoinsAreKept) {
  EXPECT_EQ(checked("t1:w(x) t1:fork(t2) t2:w(x)", {}, 0, 2), "event 2: comes before the fork of its thread");
  EXPECT_EQ(checked("t1:fork(t2) t2:w(x) t1:w(x)", {0}, 1, 2), "");
  EXPECT_EQ(checked("t1:fork(t2) t2:w(x) t1:join(t2) t1:w(x)", {0, 2}, 1, 3),
            "event 2: joins a thread that has not ended");
}

TEST(Check, EverySendComesBeforeItsReceive) {
  constexpr std::string_view text = "t1:snd(c) t3:snd(c) t2:rcv(c) t2:w(x) t1:w(x)";
  EXPECT_EQ(checked(text, {1, 0, 2}, 3, 4), "");
  EXPECT_EQ(checked(text, {0, 2}, 3, 4), "event 2: receives what was not sent");
}

TEST(Check, KeptOrderIsKept) {
  EXPECT_EQ(checked("t1:at(o) t1:w(x) t2:at(o) t2:w(x)", {0, 2}, 1, 3), "");
  EXPECT_EQ(checked("t1:at(o) t1:w(x) t2:at(o) t2:w(x)", {2, 0}, 1, 3),
            "event 2: is out of order among the operations on its object");
  EXPECT_EQ(checked("t1:au(a) t1:w(x) t2:au(a) t2:w(x)", {2, 0}, 1, 3),
            "event 2: is out of order among the atomic accesses of its variable");
}

TEST(Check, OneScheduleLeavesNothingToTheNext) {
  Written trace = written("t1:acq(l) t1:w(x) t1:rel(l) t2:acq(l) t2:rel(l) t2:w(x)");
  WitnessChecker checker(trace.events);
  EXPECT_NE(checker.check(std::vector<uint64_t>{0, 3}, 1, 5), "");
  EXPECT_EQ(checker.check(std::vector<uint64_t>{3, 4, 0}, 1, 5), "");
}

}  // namespace
}  // namespace predrace
