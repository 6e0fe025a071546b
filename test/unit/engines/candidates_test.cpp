#include "runtime/engines/candidates.h"

#include <gtest/gtest.h>

#include "test/unit/engines/traces.h"

namespace predrace {
namespace {

bool lastIsContested(std::string_view text) {
  RecordedTrace trace(written(text).events);
  return Candidates(trace).contested(trace.size() - 1);
}

TEST(Candidates, OneThreadCannotRaceWithItself) { EXPECT_FALSE(lastIsContested("t1:w(x) t1:r(x) t1:w(x)")); }

TEST(Candidates, ReadersCannotRace) { EXPECT_FALSE(lastIsContested("t1:r(x) t2:r(x)")); }

TEST(Candidates, ALockThatAllHoldProtects) {
  EXPECT_FALSE(lastIsContested("t1:acq(l) t1:w(x) t1:rel(l) t2:acq(m) t2:acq(l) t2:w(x)"));
  EXPECT_TRUE(lastIsContested("t1:acq(l) t1:w(x) t1:rel(l) t2:acq(m) t2:w(x)"));
  EXPECT_TRUE(lastIsContested("t1:acq(l) t1:w(x) t1:rel(l) t1:w(x) t2:acq(l) t2:w(x)"));
}

TEST(Candidates, WritersMustHoldItExclusively) {
  EXPECT_FALSE(lastIsContested("t1:racq(l) t1:r(x) t1:rrel(l) t2:acq(l) t2:w(x)"));
  EXPECT_TRUE(lastIsContested("t1:racq(l) t1:r(x) t1:rrel(l) t2:racq(l) t2:w(x)"));
  EXPECT_TRUE(lastIsContested("t1:racq(l) t1:r(x) t1:w(x) t1:rrel(l) t2:acq(l) t2:r(x)"));
}

TEST(Candidates, NobodyMeetsThoseWithACommonLock) {
  RecordedTrace trace(written("t1:acq(l) t1:w(x) t1:rel(l) t1:w(x) t2:acq(l) t2:w(x)").events);
  Candidates candidates(trace);
  candidates.add(1);
  candidates.add(3);
  std::vector<uint32_t> met;
  candidates.against(5, [&](const Candidates::Group& g) {
    met.insert(met.end(), g.accesses.begin(), g.accesses.end());
    return false;
  });
  EXPECT_EQ(met, std::vector<uint32_t>{3});
}

}  // namespace
}  // namespace predrace
