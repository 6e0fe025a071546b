#include "tools/engine/verdict.h"

#include <gtest/gtest.h>

namespace predrace {
namespace {

Race race(bool unordered, bool must, bool first) {
  Race r{};
  r.unordered = unordered;
  r.mustOrdered = must;
  r.firstOnVariable = first;
  return r;
}
constexpr VerdictContext kAll{.predict = true, .wellNested = true, .finding = Finding::Prediction};

TEST(Verdict, UnorderedIsADataRaceWhateverElse) {
  for (bool predict : {false, true}) {
    for (bool nested : {false, true}) {
      EXPECT_EQ(decide(race(true, true, false), {predict, nested, Finding::Prediction}), Verdict::DataRace);
    }
  }
}

TEST(Verdict, PredictedNeedsAllFourReasons) {
  EXPECT_EQ(decide(race(false, false, true), kAll), Verdict::Predicted);
  EXPECT_EQ(decide(race(false, true, true), kAll), Verdict::Drop);
  EXPECT_EQ(decide(race(false, false, false), kAll), Verdict::Drop);
  EXPECT_EQ(decide(race(false, false, true),
                   {.predict = false, .wellNested = true, .finding = Finding::Prediction}),
            Verdict::Drop);
  EXPECT_EQ(decide(race(false, false, true),
                   {.predict = true, .wellNested = false, .finding = Finding::Prediction}),
            Verdict::Drop);
}

}  // namespace
}  // namespace predrace
