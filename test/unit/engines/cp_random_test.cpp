// CpEngine against itself on random traces: what the numbers mean must not matter, nor how
// much it remembers, in the ways that engine.h promises.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "runtime/engines/cp.h"
#include "test/unit/engines/traces.h"

namespace predrace {
namespace {

struct Collected {
  std::vector<Race> races;
  CpEngine engine;
  explicit Collected(CpOptions options = {})
      : engine(options, [this](const Race& r) { races.push_back(r); }) {}

  // The racy events, and those that HB alone calls racy; named by what `name` makes of their
  // indices. (Which first accesses a racy event is reported with may depend on numbers.)
  template <class Name>
  std::set<std::pair<uint64_t, bool>> seconds(Name name) const {
    std::set<std::pair<uint64_t, bool>> out;
    for (const Race& r : races) {
      out.emplace(name(r.second.index), false);
      if (r.unordered) out.emplace(name(r.second.index), true);
    }
    return out;
  }
};

// Accesses of several bytes. One engine gets every byte as a variable; the other gets
// variables of several bytes, split when an access covers only part of one.
TEST(CpRandom, SplitVariablesAreAsGoodAsBytes) {
  for (uint64_t seed = 0; seed < 1500; ++seed) {
    RandomEvents random(seed, {.threads = 3, .locks = 2, .variables = 1, .nested = seed % 3 != 0});
    Collected bytes, merged;
    struct Piece {
      uint32_t mask, number;
    };
    std::vector<Piece> pieces;
    uint32_t next = 0;
    uint64_t step = 0, byteIndex = 0, mergedIndex = 0;
    std::map<uint64_t, uint64_t> byteStep, mergedStep;
    for (; step < 60; ++step) {
      Event e = random.next();
      if (!isAccess(e.op)) {
        e.index = byteIndex++;
        bytes.engine.on(e);
        e.index = mergedIndex++;
        merged.engine.on(e);
        continue;
      }
      uint32_t first = random.below(6), size = 1 + random.below(4), mask = ((1u << size) - 1) << first;
      for (uint32_t b = 0; b < 16; ++b) {
        if (!(mask >> b & 1)) continue;
        byteStep[byteIndex] = step;
        bytes.engine.on({e.op, e.thread, b, e.site, byteIndex++});
      }
      std::vector<uint32_t> touched;
      uint32_t rest = mask;
      for (size_t i = 0, n = pieces.size(); i < n; ++i) {
        uint32_t common = pieces[i].mask & mask;
        if (!common) continue;
        if (common != pieces[i].mask) {
          merged.engine.splitVariable(pieces[i].number, next);
          pieces.push_back({pieces[i].mask & ~mask, next++});
          pieces[i].mask = common;
        }
        touched.push_back(pieces[i].number);
        rest &= ~common;
      }
      if (rest) {
        pieces.push_back({rest, next});
        touched.push_back(next++);
      }
      for (uint32_t x : touched) {
        mergedStep[mergedIndex] = step;
        merged.engine.on({e.op, e.thread, x, e.site, mergedIndex++});
      }
    }
    bytes.engine.finish();
    merged.engine.finish();
    ASSERT_EQ(bytes.seconds([&](uint64_t i) { return byteStep[i]; }), merged.seconds([&](uint64_t i) {
      return mergedStep[i];
    })) << "seed "
        << seed;
  }
}

// Numbers that come back after forget* are as good as fresh ones.
TEST(CpRandom, ForgottenNumbersAreAsGoodAsFreshOnes) {
  for (uint64_t seed = 0; seed < 1500; ++seed) {
    RandomEvents::Shape shape{.locks = 3, .variables = 3, .shared = seed % 2 ? 0.5 : 0.0};
    RandomEvents random(seed, shape);
    Collected reused, fresh;
    std::map<std::pair<int, uint32_t>, uint32_t> names;  // (family, number) -> number for `fresh`
    uint32_t next = 100;
    auto nameOf = [&](int family, uint32_t n) { return names.try_emplace({family, n}, n).first->second; };
    for (int step = 0; step < 120; ++step) {
      Event e = random.next();
      reused.engine.on(e);
      int family = isAccess(e.op) ? 0 : e.op == Op::At ? 1 : e.op == Op::Send || e.op == Op::Receive ? 2 : 3;
      e.target = nameOf(family, e.target);
      fresh.engine.on(e);
      if (!random.chance(0.1)) continue;
      uint32_t n = random.below(3);
      int what = static_cast<int>(random.below(4));
      if (what == 3 && random.held(n)) continue;
      if (what == 0) reused.engine.forgetVariable(n);
      if (what == 1) reused.engine.forgetObject(n);
      if (what == 2) reused.engine.forgetChannel(n);
      if (what == 3) reused.engine.forgetLock(n);
      names[{what, n}] = next++;
    }
    reused.engine.finish();
    fresh.engine.finish();
    auto same = [](uint64_t i) { return i; };
    ASSERT_EQ(reused.seconds(same), fresh.seconds(same)) << "seed " << seed;
  }
}

// An update is a read and then a write.
TEST(CpRandom, UpdatesAreReadsAndWrites) {
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    RandomEvents random(seed, {.threads = 3, .nested = seed % 3 != 0});
    Collected apart, together;
    std::map<uint64_t, uint64_t> step;  // index in `apart` -> index in `together`
    uint64_t index = 0;
    for (uint64_t i = 0; i < 80; ++i) {
      Event e = random.next();
      bool update = e.op == Op::Write && random.chance(0.5);
      e.index = i;
      if (update) e.op = Op::Update;
      together.engine.on(e);
      for (Op op : {Op::Read, Op::Write}) {
        if (!update && op == Op::Read) continue;
        if (update) e.op = op;
        e.index = index++;
        step[e.index] = i;
        apart.engine.on(e);
      }
    }
    apart.engine.finish();
    together.engine.finish();
    ASSERT_EQ(apart.seconds([&](uint64_t i) { return step[i]; }), together.seconds([](uint64_t i) {
      return i;
    })) << "seed "
        << seed;
  }
}

TEST(CpRandom, FoldingFindsNothingNew) {
  uint64_t exactPairs = 0, foldedPairs = 0;
  for (uint64_t seed = 0; seed < 400; ++seed) {
    RandomEvents random(seed, {.threads = 4, .locks = 4, .variables = 6, .nested = seed % 2 == 0});
    Collected exact, folded;
    for (int step = 0; step < 400; ++step) {
      Event e = random.next();
      exact.engine.on(e);
      folded.engine.on(e);
      if (step % 64 == 63) folded.engine.fold(seed % 3 ? 1 : folded.engine.memoryBytes() * 3 / 4);
    }
    exact.engine.finish();
    folded.engine.finish();
    auto all = pairsOf(exact.races), some = pairsOf(folded.races);
    ASSERT_TRUE(std::ranges::includes(all, some)) << "seed " << seed;
    for (const Race& f : folded.races) {
      auto same = std::ranges::find_if(exact.races, [&](const Race& r) {
        return r.first.index == f.first.index && r.second.index == f.second.index;
      });
      ASSERT_EQ(same->unordered, f.unordered);
    }
    exactPairs += all.size();
    foldedPairs += some.size();
  }
  EXPECT_LT(foldedPairs, exactPairs);
  EXPECT_GT(foldedPairs, exactPairs / 10) << "it still finds races";
}

// A section held for long keeps many others waiting; looking early changes nothing.
TEST(CpRandom, LookingEarlyAtWhatWaitsChangesNothing) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    RandomEvents random(seed,
                        {.threads = 4, .locks = 4, .variables = 6, .accesses = 0.3, .nested = seed % 2 == 0});
    Collected late, early({.waiting = 0});
    for (int step = 0; step < 400; ++step) {
      Event e = random.next();
      late.engine.on(e);
      early.engine.on(e);
    }
    late.engine.finish();
    early.engine.finish();
    ASSERT_EQ(secondsOf(late.races), secondsOf(early.races)) << "seed " << seed;
  }
}

TEST(CpRandom, MemoryDoesNotGrowWithTheTrace) {
  RandomEvents random(
      1, {.threads = 8, .locks = 16, .variables = 256, .depth = 2, .accesses = 0.7, .extras = 0.02});
  CpEngine engine(CpOptions(), [](const Race&) {});
  size_t early = 0;
  for (int i = 0; i < 1000000; ++i) {
    engine.on(random.next());
    if (i == 10000) early = engine.memoryBytes();
  }
  EXPECT_LT(engine.memoryBytes(), 4 * early);
}

// Locks that each belong to one thread never pass anything on: only fold can bound them.
TEST(CpRandom, FoldBoundsWhatNothingElseBounds) {
  CpEngine engine(CpOptions(), [](const Race&) {});
  uint64_t index = 0;
  size_t most = 0;
  constexpr size_t kLimit = 1 << 20;
  for (int i = 0; i < 300000; ++i) {
    uint32_t t = static_cast<uint32_t>(i % 4);
    engine.on({Op::Acquire, t, t, 0, index++});
    engine.on({Op::Write, t, t, 0, index++});
    engine.on({Op::Release, t, t, 0, index++});
    if (engine.memoryBytes() > kLimit) {
      EXPECT_GT(engine.fold(kLimit / 2), 0u);
    }
    most = std::max(most, engine.memoryBytes());
  }
  EXPECT_LT(most, kLimit + kLimit / 2);
  EXPECT_GT(engine.stats().folded, 0u);
}

}  // namespace
}  // namespace predrace
