#include "tools/engine/predictor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "runtime/engines/cp.h"

namespace predrace {
namespace {

constexpr uint64_t kLarge = 1 << 20;  // entries of a window that nothing here fills

PredictorOptions optionsWith(uint64_t window, bool osr = true, double exitBudget = 1000) {
  return {.window = window, .osr = osr, .exitBudget = exitBudget, .pcOf = [](uint32_t site) { return site; }};
}

// A run of two threads, whose engine tells the predictor what it finds. What is done to a variable is
// ordered with what was done to it before.
class LiveRun {
 public:
  explicit LiveRun(PredictorOptions options)
      : predictor_(std::move(options)),
        cp_(CpOptions(),
            [this](const Race& r) {
              if (r.unordered) {
                ++dataRaces_;
                predictor_.dataRace(r);
              } else {
                ++candidates_;
                predictor_.candidate(r);
              }
            }),
        logged_(cp_, predictor_.log()) {}

  Predictor& predictor() { return predictor_; }
  uint64_t candidates() const { return candidates_; }
  uint64_t dataRaces() const { return dataRaces_; }
  uint64_t index() const { return index_; }
  const std::vector<Prediction>& found() const { return found_; }
  const PredictorCounts& counts() const { return predictor_.counts(); }

  void on(Op op, uint32_t thread, uint32_t target, uint32_t site = 0) {
    logged_.on({op, thread, target, site, index_++});
  }
  void section(uint32_t thread, uint32_t lock, uint32_t site = 0) {
    on(Op::Acquire, thread, lock, site);
    on(Op::Release, thread, lock, site + 1);
  }
  // The first thread goes on after the second.
  void order() {
    on(Op::Send, 1, kChannel);
    on(Op::Receive, 0, kChannel);
  }
  // A candidate that a schedule shows: the second thread can be first in the lock.
  void race(uint32_t variable, uint32_t first, uint32_t second) {
    order();
    on(Op::Write, 0, variable, first);
    section(0, kLock, 900);
    section(1, kLock, 910);
    on(Op::Write, 1, variable, second);
  }
  // A candidate that no schedule shows: the second thread has seen a flag.
  void trap(uint32_t variable, uint32_t first, uint32_t second) {
    order();
    on(Op::Write, 0, variable, first);
    section(0, kLock);
    on(Op::AtomicWrite, 0, kFlag);
    on(Op::AtomicRead, 1, kFlag);
    section(1, kLock);
    on(Op::Write, 1, variable, second);
  }
  // No candidate, as causally-precedes orders it; OSR sees it.
  void hidden(uint32_t variable, uint32_t first, uint32_t second) {
    order();
    on(Op::Write, 0, variable, first);
    on(Op::Acquire, 0, kLock);
    on(Op::Write, 0, kCommon, 920);
    on(Op::Release, 0, kLock);
    on(Op::Acquire, 1, kLock);
    on(Op::Write, 1, kCommon, 930);
    on(Op::Release, 1, kLock);
    on(Op::Write, 1, variable, second);
  }
  void nothing(uint64_t events) {
    for (uint64_t k = 0; k < events; ++k) on(Op::Write, 0, kOwn);
  }

  void poll(bool idle = false) { predictor_.poll(idle); }
  // Until so many are found; if they never are, until ctest gives up.
  void pollUntil(size_t found, bool idle = false) {
    while (predictor_.held() < found) {
      poll(idle);
      std::this_thread::yield();
    }
  }
  void finish() {
    cp_.finish();
    predictor_.finish(sink());
  }
  // The sites of what was found.
  std::set<CodePair> pairs() const {
    std::set<CodePair> out;
    for (const Prediction& p : found_)
      EXPECT_TRUE(out.emplace(p.race.first.site, p.race.second.site).second) << "told twice";
    return out;
  }

 private:
  static constexpr uint32_t kLock = 0, kChannel = 0, kFlag = 1000, kCommon = 1001, kOwn = 1002;
  std::function<void(const Prediction&)> sink() {
    return [this](const Prediction& p) { found_.push_back(p); };
  }

  Predictor predictor_;
  CpEngine cp_;
  Logged logged_;
  uint64_t index_ = 0, candidates_ = 0, dataRaces_ = 0;
  std::vector<Prediction> found_;
};
using Pairs = std::set<CodePair>;

// Of the pairs that have candidates: witnessed, unwitnessed, undecided.
std::string countsOf(const LiveRun& run) {
  const PredictorCounts& c = run.counts();
  EXPECT_EQ(c.rejected, 0u);
  return std::to_string(c.witnessed) + " " + std::to_string(c.unwitnessed) + " " +
         std::to_string(c.undecided);
}

TEST(Predictor, ACandidateIsWitnessedAtTheEnd) {
  LiveRun run(optionsWith(kLarge, /*osr=*/false));
  run.race(7, 1, 2);
  run.poll();
  EXPECT_EQ(run.candidates(), 1u);
  EXPECT_TRUE(run.found().empty());
  run.finish();
  ASSERT_EQ(run.pairs(), (Pairs{{1, 2}}));
  const Prediction& p = run.found().front();
  EXPECT_EQ(p.race.first.index, 2u);
  EXPECT_EQ(p.race.second.index, 7u);
  EXPECT_EQ(p.race.variable, 7u);
  EXPECT_FALSE(p.race.unordered);
  EXPECT_EQ(p.race.handOver.lock, 0u);
  EXPECT_EQ(p.race.handOver.releaseSite, 901u);
  EXPECT_EQ(p.race.handOver.acquireSite, 910u);
  EXPECT_TRUE(p.firstLocks.empty());
  EXPECT_EQ(p.schedule.steps.size(), 4u) << "the hard order, and the section";
  EXPECT_EQ(countsOf(run), "1 0 0");
  EXPECT_EQ(run.counts().windows, 1u);
  EXPECT_EQ(run.counts().beyond, 0u);
}

TEST(Predictor, HeldLocksAreTold) {
  LiveRun run(optionsWith(kLarge));
  run.on(Op::SharedAcquire, 0, 20);
  run.on(Op::Acquire, 0, 10);
  run.race(7, 1, 2);
  run.finish();
  ASSERT_EQ(run.found().size(), 1u);
  EXPECT_EQ(run.found()[0].firstLocks, (std::vector<uint32_t>{10 << 1, 20 << 1 | 1}));
  EXPECT_EQ(run.found()[0].secondLocks, (std::vector<uint32_t>{}));
}

TEST(Predictor, SchedulesHaveNoMoreStepsThanAskedFor) {
  PredictorOptions options = optionsWith(kLarge);
  options.steps = 3;
  LiveRun run(options);
  run.race(7, 1, 2);
  run.finish();
  ASSERT_EQ(run.found().size(), 1u);
  EXPECT_EQ(run.found()[0].schedule.steps.size(), 3u);
  EXPECT_EQ(run.found()[0].schedule.before, 1u);
}

TEST(Predictor, APairOfCodeLocationsIsToldOnce) {
  for (bool osr : {false, true}) {
    LiveRun run(optionsWith(kLarge, osr));
    for (uint32_t k = 0; k < 1000; ++k) run.race(k, 1, 2);
    EXPECT_EQ(run.candidates(), 1000u);
    run.finish();
    EXPECT_EQ(run.pairs(), (Pairs{{1, 2}}));
    EXPECT_EQ(countsOf(run), "1 0 0");
    EXPECT_TRUE(run.predictor().unwitnessed().empty());
  }
}

TEST(Predictor, EachPairOfCodeLocationsIsTold) {
  for (bool osr : {false, true}) {
    LiveRun run(optionsWith(kLarge, osr));
    for (uint32_t k = 0; k < 30; ++k) run.race(k, 10 + k % 3, 20 + k % 2);
    run.finish();
    EXPECT_EQ(run.pairs(), (Pairs{{10, 20}, {10, 21}, {11, 20}, {11, 21}, {12, 20}, {12, 21}}));
    EXPECT_EQ(countsOf(run), "6 0 0");
  }
}

TEST(Predictor, ContextsOfOneLocationAreOne) {
  for (bool osr : {false, true}) {
    PredictorOptions options = optionsWith(kLarge, osr);
    options.pcOf = [](uint32_t site) { return site / 10; };
    LiveRun run(options);
    run.race(0, 11, 21);
    run.race(1, 12, 29);
    run.race(2, 21, 11);  // the other way round
    run.finish();
    EXPECT_EQ(run.found().size(), 1u);
    EXPECT_EQ(countsOf(run), "1 0 0");
  }
}

TEST(Predictor, OneCandidateOfManyIsEnough) {  // the first and the last ones are tried
  for (uint32_t real : {0, 39}) {
    LiveRun run(optionsWith(kLarge, /*osr=*/false));
    for (uint32_t k = 0; k < 40; ++k) k == real ? run.race(k, 1, 2) : run.trap(k, 1, 2);
    run.finish();
    EXPECT_EQ(run.pairs(), (Pairs{{1, 2}}));
    EXPECT_EQ(countsOf(run), "1 0 0");
  }
}

// What is not witnessed.

TEST(Predictor, WhatNoScheduleShowsIsUnwitnessed) {
  for (bool osr : {false, true}) {
    LiveRun run(optionsWith(kLarge, osr));
    run.trap(5, 3, 4);
    run.trap(6, 3, 4);
    run.trap(7, 1, 2);
    run.race(8, 5, 6);
    EXPECT_EQ(run.candidates(), 4u);
    run.finish();
    EXPECT_EQ(run.pairs(), (Pairs{{5, 6}}));
    EXPECT_EQ(countsOf(run), "1 2 0");
    std::vector<Race> unwitnessed = run.predictor().unwitnessed();
    ASSERT_EQ(unwitnessed.size(), 2u) << "one of each pair of locations";
    EXPECT_EQ(unwitnessed[0].variable, 5u) << "in the order of the run";
    EXPECT_EQ(unwitnessed[1].variable, 7u);
  }
}

TEST(Predictor, WithoutTimeNothingIsDecided) {
  LiveRun run(optionsWith(kLarge, /*osr=*/true, /*exitBudget=*/0));
  run.race(0, 1, 2);
  run.trap(1, 3, 4);
  run.finish();
  EXPECT_TRUE(run.found().empty());
  EXPECT_EQ(countsOf(run), "0 0 2");
  EXPECT_TRUE(run.predictor().unwitnessed().empty());
}

TEST(Predictor, WhatWasRefusedOnceIsUndecidedIfThereIsMoreToTry) {
  LiveRun run(optionsWith(/*window=*/1, /*osr=*/true, /*exitBudget=*/0));
  run.trap(0, 1, 2);
  run.hidden(1, 3, 4);  // found when the candidates have been tried
  run.pollUntil(1);
  run.race(2, 1, 2);  // there is no time for this one
  run.finish();
  EXPECT_EQ(countsOf(run), "0 0 1");
  EXPECT_TRUE(run.predictor().unwitnessed().empty());
}

TEST(Predictor, WhatWasRefusedBesideTheRunNeedsNoMoreTime) {
  LiveRun run(optionsWith(/*window=*/1, /*osr=*/true, /*exitBudget=*/0));
  run.trap(0, 1, 2);
  run.hidden(1, 3, 4);
  run.pollUntil(1);
  run.finish();
  EXPECT_EQ(countsOf(run), "0 1 0");
  EXPECT_EQ(run.predictor().unwitnessed().size(), 1u);
}

TEST(Predictor, APairThatOnlyOsrWitnessesIsWitnessed) {
  LiveRun run(optionsWith(kLarge));
  run.trap(0, 1, 2);    // the candidate
  run.hidden(1, 1, 2);  // the same code, elsewhere
  run.finish();
  EXPECT_EQ(run.pairs(), (Pairs{{1, 2}}));
  EXPECT_EQ(countsOf(run), "1 0 0");
}

// Data races.

TEST(Predictor, ADataRaceSettlesItsPairOfCodeLocations) {
  for (bool before : {false, true}) {
    LiveRun run(optionsWith(kLarge));
    auto happens = [&] {
      run.order();
      run.on(Op::Write, 0, 50, 1);
      run.on(Op::Write, 1, 50, 2);
    };
    if (before) happens();
    run.race(0, 1, 2);
    run.hidden(1, 1, 2);
    run.trap(2, 1, 2);
    if (!before) happens();
    EXPECT_EQ(run.dataRaces(), 1u);
    run.finish();
    EXPECT_TRUE(run.found().empty());
    EXPECT_EQ(countsOf(run), "0 0 0");
    EXPECT_TRUE(run.predictor().unwitnessed().empty());
  }
}

TEST(Predictor, DataRacesAreNotToldAsPredictions) {
  LiveRun run(optionsWith(kLarge));
  run.on(Op::Write, 0, 0, 1);
  run.on(Op::Write, 0, 0, 2);
  run.on(Op::Write, 1, 0, 3);  // races with both; the engine tells the later one
  EXPECT_EQ(run.dataRaces(), 1u);
  run.finish();
  EXPECT_TRUE(run.found().empty());
}

// The engine tells a data race with the later write only; OSR sees the earlier one.
TEST(Predictor, ADataRaceThatTheEngineDoesNotTellSettlesNothing) {
  LiveRun run(optionsWith(/*window=*/1));
  run.on(Op::Write, 2, 0, 1);
  run.on(Op::Write, 2, 0, 5);
  run.on(Op::Write, 3, 0, 2);
  run.hidden(1, 3, 4);  // found behind that
  run.pollUntil(1);
  run.race(2, 1, 2);
  run.finish();
  EXPECT_EQ(run.pairs(), (Pairs{{3, 4}, {1, 2}}));
  EXPECT_EQ(countsOf(run), "1 0 0");
}

TEST(Predictor, WhatAPairNeedsMustNotBeInADataRace) {
  for (bool racy : {false, true}) {
    LiveRun run(optionsWith(kLarge));
    run.on(Op::Write, 0, 0, 1);
    run.section(0, 0);
    if (racy) run.on(Op::Write, 2, 9, 3);
    if (racy) run.on(Op::Read, 1, 9, 4);  // may have seen it or not, and what t1 does may depend on it
    run.section(1, 0);
    run.on(Op::Write, 1, 0, 2);
    EXPECT_EQ(run.dataRaces(), racy ? 1u : 0u);
    run.finish();
    EXPECT_EQ(run.pairs(), racy ? Pairs() : (Pairs{{1, 2}}));
    EXPECT_EQ(countsOf(run), racy ? "0 1 0" : "1 0 0");
  }
}

// Beyond the candidates.

TEST(Predictor, OsrsOwnRacesAreToldIfWanted) {
  LiveRun with(optionsWith(kLarge, /*osr=*/true)), without(optionsWith(kLarge, /*osr=*/false));
  for (LiveRun* run : {&with, &without}) {
    run->hidden(0, 1, 2);
    run->hidden(1, 1, 2);
    run->hidden(2, 3, 4);
    run->race(3, 5, 6);
    EXPECT_EQ(run->candidates(), 1u);
    run->finish();
    EXPECT_EQ(countsOf(*run), "1 0 0") << "only those with candidates are counted";
  }
  EXPECT_EQ(with.pairs(), (Pairs{{1, 2}, {3, 4}, {5, 6}}));
  EXPECT_EQ(without.pairs(), (Pairs{{5, 6}}));
}

TEST(Predictor, WithNothingToSearchForNoWindowIsSearched) {
  LiveRun run(optionsWith(/*window=*/1, /*osr=*/false));
  run.hidden(0, 1, 2);
  run.poll();
  run.poll(/*idle=*/true);
  run.finish();
  EXPECT_EQ(run.counts().windows, 0u);
}

TEST(Predictor, NothingIsSearchedOnceTheEventsAreNotTrusted) {
  LiveRun run(optionsWith(/*window=*/1));
  run.race(0, 1, 2);
  run.hidden(1, 3, 4);
  run.predictor().distrust();
  run.poll();
  run.poll(/*idle=*/true);
  run.finish();
  EXPECT_TRUE(run.found().empty());
  EXPECT_EQ(run.counts().windows, 0u);
  EXPECT_EQ(countsOf(run), "0 0 1");
}

// Beside the run.

TEST(Predictor, FullWindowsAreSearchedBesideTheRun) {
  LiveRun run(optionsWith(/*window=*/4));
  run.race(0, 1, 2);
  run.hidden(1, 3, 4);
  run.pollUntil(2);
  EXPECT_TRUE(run.found().empty()) << "a data race may be on its way";
  run.race(2, 1, 2);
  run.finish();
  EXPECT_EQ(run.pairs(), (Pairs{{1, 2}, {3, 4}}));
  EXPECT_EQ(run.found().size(), 2u) << "told once";
  EXPECT_EQ(countsOf(run), "1 0 0");
}

TEST(Predictor, RacesOfEarlierWindowsAreFoundThoughTheLogForgets) {
  LiveRun run(optionsWith(/*window=*/LogChunk::kEntries));
  for (uint32_t k = 0; k < 4; ++k) {
    run.race(k, 10 + k, 20 + k);
    run.nothing(LogChunk::kEntries);
    run.pollUntil(k + 1);
  }
  run.finish();
  EXPECT_EQ(run.pairs(), (Pairs{{10, 20}, {11, 21}, {12, 22}, {13, 23}}));
  EXPECT_EQ(countsOf(run), "4 0 0");
  EXPECT_GE(run.counts().windows, 4u);
  EXPECT_EQ(run.counts().beyond, 3 * LogChunk::kEntries);
}

TEST(Predictor, APairThatNoWindowHasIsUndecided) {
  LiveRun run(optionsWith(/*window=*/1, /*osr=*/false));
  run.on(Op::Write, 0, 0, 1);
  run.section(0, 0);
  run.nothing(LogChunk::kEntries);
  run.poll();  // there are no candidates yet; the first chunk goes
  run.section(1, 0);
  run.on(Op::Write, 1, 0, 2);
  EXPECT_EQ(run.candidates(), 1u);
  run.finish();
  EXPECT_TRUE(run.found().empty());
  EXPECT_EQ(run.counts().beyond, LogChunk::kEntries);
  EXPECT_EQ(countsOf(run), "0 0 1");
  EXPECT_TRUE(run.predictor().unwitnessed().empty());
}

TEST(Predictor, CandidatesAreSearchedWhenTheProgramIsIdle) {
  LiveRun run(optionsWith(kLarge));
  run.race(0, 1, 2);
  run.hidden(1, 3, 4);
  run.pollUntil(1, /*idle=*/true);
  EXPECT_EQ(run.predictor().held(), 1u) << "the rest has time until the window is full";
  run.finish();
  EXPECT_EQ(run.pairs(), (Pairs{{1, 2}, {3, 4}}));
  EXPECT_EQ(run.counts().windows, 2u);
}

TEST(Predictor, WhatWasFoundBesideTheRunIsLookedAtAgainAfterADataRace) {
  for (bool inTheWindow : {true, false}) {
    LiveRun run(optionsWith(/*window=*/LogChunk::kEntries));
    run.race(0, 1, 2);
    run.nothing(LogChunk::kEntries);
    run.pollUntil(1);
    if (!inTheWindow) {
      run.nothing(LogChunk::kEntries);
      run.poll();
    }
    run.order();
    run.on(Op::Write, 0, 50, 7);
    run.on(Op::Write, 1, 50, 8);
    run.finish();
    EXPECT_EQ(run.pairs(), inTheWindow ? (Pairs{{1, 2}}) : Pairs()) << inTheWindow;
  }
}

TEST(Predictor, ABusyProgramWithRoomInTheWindowIsLeftAlone) {
  LiveRun run(optionsWith(kLarge));
  run.race(0, 1, 2);
  for (int k = 0; k < 100; ++k) run.poll();
  run.finish();
  EXPECT_EQ(run.counts().windows, 1u);
}

TEST(Predictor, LeavesInTheMiddleOfASearch) {
  for (int k = 0; k < 20; ++k) {
    LiveRun run(optionsWith(/*window=*/1));
    for (uint32_t v = 0; v < 50; ++v) run.race(v, v, 100 + v);
    run.poll();
  }
}

}  // namespace
}  // namespace predrace
