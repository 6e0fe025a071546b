#include "runtime/engines/contest.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "test/unit/engines/traces.h"

namespace predrace {
namespace {

// The indices of the accesses that may race with an earlier one.
std::vector<uint64_t> contested(std::string_view text) {
  Locksets locksets;
  Contest contest(locksets);
  std::vector<uint32_t> held(8, Locksets::kEmpty);  // by thread
  std::vector<uint64_t> out;
  for (const Event& e : written(text).events) {
    bool shared = e.op == Op::SharedAcquire || e.op == Op::SharedRelease;
    if (isAccess(e.op)) {
      if (contest.access(e, held[e.thread])) out.push_back(e.index);
    } else if (e.op == Op::Acquire || e.op == Op::SharedAcquire) {
      held[e.thread] = locksets.with(held[e.thread], e.target, shared);
    } else if (e.op == Op::Release || e.op == Op::SharedRelease) {
      held[e.thread] = locksets.without(held[e.thread], e.target, shared);
    } else {
      contest.synchronise(e);
    }
  }
  return out;
}
using Indices = std::vector<uint64_t>;

TEST(Contest, OnlyConflictingAccessesCanRace) {
  EXPECT_EQ(contested("T1:w(x) T1:r(x) T2:w(y) T2:ar(z) T1:ar(z)"), Indices());
  EXPECT_EQ(contested("T1:r(x) T2:r(x) T3:ar(x)"), Indices());
  EXPECT_EQ(contested("T1:au(x) T2:aw(x) T3:ar(x)"), Indices());
  EXPECT_EQ(contested("T1:w(x) T2:r(x)"), Indices{1});
  EXPECT_EQ(contested("T1:r(x) T2:w(x)"), Indices{1});
  EXPECT_EQ(contested("T1:ar(x) T2:w(x)"), Indices{1});
  EXPECT_EQ(contested("T1:r(x) T2:aw(x)"), Indices{1});
}

TEST(Contest, ACommonLockKeepsApart) {
  EXPECT_EQ(contested("T1:acq(l) T1:w(x) T1:rel(l) T2:acq(m) T2:acq(l) T2:w(x)"), Indices());
  EXPECT_EQ(contested("T1:acq(l) T1:w(x) T1:rel(l) T2:acq(m) T2:w(x)"), Indices{4});
}

TEST(Contest, SharedSectionsKeepWritersOutOnly) {
  EXPECT_EQ(contested("T1:racq(l) T1:w(x) T1:rrel(l) T2:acq(l) T2:w(x)"), Indices());
  EXPECT_EQ(contested("T1:acq(l) T1:w(x) T1:rel(l) T2:racq(l) T2:w(x)"), Indices());
  EXPECT_EQ(contested("T1:racq(l) T1:w(x) T1:rrel(l) T2:racq(l) T2:w(x)"), Indices{4});
}

TEST(Contest, LocksDoNotOrder) {  // as happens-before does, which a schedule can turn round
  EXPECT_EQ(contested("T1:w(x) T1:acq(l) T1:rel(l) T2:acq(l) T2:rel(l) T2:w(x)"), Indices{5});
  EXPECT_EQ(contested("T1:w(x) T1:at(o) T2:at(o) T2:w(x)"), Indices{3});
}

TEST(Contest, HardOrderKeepsApart) {
  EXPECT_EQ(contested("T0:w(x) T0:fork(T1) T1:w(x) T0:join(T1) T0:w(x)"), Indices());
  EXPECT_EQ(contested("T1:w(x) T1:snd(c) T2:rcv(c) T2:w(x)"), Indices());
  EXPECT_EQ(contested("T0:fork(T1) T0:w(x) T1:w(x) T0:join(T1) T0:w(x)"), Indices{2});
  EXPECT_EQ(contested("T1:snd(c) T1:w(x) T2:rcv(c) T2:w(x)"), Indices{3});
  EXPECT_EQ(contested("T1:w(x) T1:snd(c) T2:rcv(d) T2:w(x)"), Indices{3});
}

TEST(Contest, EachLocksetOfAThreadCounts) {
  // The last access of t1 is protected, the one before it is not.
  EXPECT_EQ(contested("T1:w(x) T1:acq(l) T1:w(x) T1:rel(l) T2:acq(l) T2:w(x)"), Indices{5});
}

TEST(Contest, EachKindOfAThreadCounts) {
  EXPECT_EQ(contested("T1:w(x) T1:r(x) T2:r(x)"), Indices{2});
  EXPECT_EQ(contested("T1:w(x) T1:aw(x) T2:aw(x)"), Indices{2});
}

TEST(Contest, TheLastAccessOfAKindStandsForTheEarlierOnes) {
  EXPECT_EQ(contested("T1:w(x) T1:snd(c) T1:w(x) T2:rcv(c) T2:w(x)"), Indices{4});
  EXPECT_EQ(contested("T1:w(x) T1:w(x) T1:snd(c) T2:rcv(c) T2:w(x)"), Indices());
}

}  // namespace
}  // namespace predrace
