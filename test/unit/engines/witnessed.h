// What engines with witnesses say about a trace: each race must have one that the checker accepts.
#ifndef PREDRACE_TEST_UNIT_ENGINES_WITNESSED_H
#define PREDRACE_TEST_UNIT_ENGINES_WITNESSED_H

#include <gtest/gtest.h>

#include <set>
#include <string_view>
#include <vector>

#include "runtime/engines/check.h"
#include "test/unit/engines/traces.h"

namespace predrace {

template <class SomeEngine>
std::vector<Race> witnessedRaces(const std::vector<Event>& events) {
  std::vector<Race> races;
  WitnessChecker checker(events);
  SomeEngine engine([&](const Race& r) {
    races.push_back(r);
    ASSERT_NE(r.witness, nullptr);
    EXPECT_EQ(checker.check(r.witness->schedule(), r.first.index, r.second.index), "");
  });
  engine.run(events);
  engine.finish();
  return races;
}

template <class SomeEngine>
std::set<Pair> witnessedPairs(std::string_view text) {
  return pairsOf(witnessedRaces<SomeEngine>(written(text).events));
}

}  // namespace predrace

#endif  // PREDRACE_TEST_UNIT_ENGINES_WITNESSED_H
