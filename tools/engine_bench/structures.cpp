// structures_bench: the structures that engines are made of, one Google Benchmark each.
// `tools/bench structures` runs it.
//
// The argument of clocks is the number of lanes (threads), that of locate the number of a
// lock's sections, that of locksets the number of locks, that of Chunked the number of elements, that
// of rangeMinimum the size of the array.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "runtime/engines/chunked.h"
#include "runtime/engines/cp_locks.h"
#include "runtime/engines/lockset.h"
#include "runtime/engines/range_minima.h"
#include "runtime/engines/vector_clock.h"

namespace predrace {
namespace {

using Tick = uint32_t;
using Clock = VectorClock<Tick>;

constexpr uint32_t kMany = 4096;  // inputs that a benchmark goes round

// In a random order: what is guessed from the last round is of no use.
std::vector<uint32_t> randomBelow(uint32_t n) {
  std::mt19937 random(7);
  std::vector<uint32_t> out(kMany);
  for (uint32_t& x : out) x = static_cast<uint32_t>(random() % n);
  return out;
}

Clock clockOf(BlockPool& pool, uint32_t lanes, Tick tick) {
  Clock c;
  for (uint32_t i = lanes; i-- > 0;) c.raise(pool, i, tick);
  return c;
}

void clockShare(benchmark::State& state) {
  BlockPool pool;
  Clock c = clockOf(pool, static_cast<uint32_t>(state.range(0)), 1);
  for (auto _ : state) {
    Clock copy = c;
    benchmark::DoNotOptimize(copy);
  }
}

// The first write to a shared clock copies it.
void clockCopy(benchmark::State& state) {
  BlockPool pool;
  Clock c = clockOf(pool, static_cast<uint32_t>(state.range(0)), 1);
  for (auto _ : state) {
    Clock copy = c;
    copy.raise(pool, 0, 2);
    benchmark::DoNotOptimize(copy);
  }
}

void clockRaise(benchmark::State& state) {
  auto lanes = static_cast<uint32_t>(state.range(0));
  BlockPool pool;
  Clock c = clockOf(pool, lanes, 1);
  Tick tick = 1;
  for (auto _ : state) {
    ++tick;
    c.raise(pool, tick & (lanes - 1), tick);
  }
}

void clockJoin(benchmark::State& state) {
  auto lanes = static_cast<uint32_t>(state.range(0));
  BlockPool pool;
  Clock mine = clockOf(pool, lanes, 1), theirs = clockOf(pool, lanes, 2);
  for (auto _ : state) {
    mine.join(pool, theirs);
    benchmark::DoNotOptimize(mine);
    benchmark::ClobberMemory();
  }
}

// Of equal clocks: all components are looked at.
void clockCovers(benchmark::State& state) {
  auto lanes = static_cast<uint32_t>(state.range(0));
  BlockPool pool;
  Clock mine = clockOf(pool, lanes, 1), theirs = clockOf(pool, lanes, 1);
  for (auto _ : state) {
    benchmark::DoNotOptimize(mine.covers(theirs));
    benchmark::ClobberMemory();
  }
}

void stampWithin(benchmark::State& state) {
  auto lanes = static_cast<uint32_t>(state.range(0));
  BlockPool pool;
  Clock c = clockOf(pool, lanes, kMany / 2);
  std::vector<Stamp<Tick>> stamps;
  for (uint32_t x : randomBelow(kMany)) stamps.push_back({{}, x & (lanes - 1), x});
  uint32_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(stamps[++i & (kMany - 1)].within(c));
}

void stampJoinInto(benchmark::State& state) {
  auto lanes = static_cast<uint32_t>(state.range(0));
  BlockPool pool;
  Clock mine = clockOf(pool, lanes, 1);
  Stamp<Tick> stamp{clockOf(pool, lanes, 2), 0, 2};
  for (auto _ : state) {
    ++stamp.own;
    stamp.joinInto(pool, mine);
    benchmark::ClobberMemory();
  }
}

// The last section of a lock that a clock knows of, anywhere among the lock's sections, which 8
// lanes did in turn.
void locate(benchmark::State& state) {
  constexpr uint32_t kLanes = 8;
  auto sections = static_cast<uint32_t>(state.range(0));
  BlockPool pool;
  cp::Locks locks(pool);
  uint32_t id = locks.main(0);
  for (uint32_t k = 1; k <= sections; ++k) {
    locks.push(id, [](uint32_t) { return 0u; });
    cp::Section& s = locks.latest(locks[id]);
    s.lane = k % kLanes;
    s.acquired = s.released = k;
  }
  std::vector<Clock> clocks;
  for (uint32_t known : randomBelow(sections)) clocks.push_back(clockOf(pool, kLanes, known + 1));
  uint32_t i = 0;
  for (auto _ : state)
    benchmark::DoNotOptimize(locks.locate(locks[id], clocks[++i & (kMany - 1)], sections + 1, 0));
}

// One lock more and then less, in sets that exist already: what a thread's acquire and
// release do.
void locksetStep(benchmark::State& state) {
  Locksets sets;
  std::vector<uint32_t> taken = randomBelow(static_cast<uint32_t>(state.range(0)));
  uint32_t outer = sets.with(Locksets::kEmpty, static_cast<uint32_t>(state.range(0)), false);
  uint32_t i = 0;
  for (auto _ : state) {
    uint32_t lock = taken[++i & (kMany - 1)];
    benchmark::DoNotOptimize(sets.without(sets.with(outer, lock, false), lock, false));
  }
}

// A set that does not exist yet.
void locksetNew(benchmark::State& state) {
  Locksets sets;
  uint32_t id = Locksets::kEmpty, lock = 0;
  for (auto _ : state) {
    id = sets.with(lock % 4 == 0 ? Locksets::kEmpty : id, lock, false);  // sets of 1, 2, 3, 4 locks
    ++lock;
    benchmark::DoNotOptimize(id);
  }
}

void chunkedRandom(benchmark::State& state) {
  struct Cell {
    uint64_t words[4];
  };
  auto elements = static_cast<uint32_t>(state.range(0));
  Chunked<Cell, 8> cells;
  for (uint32_t i = 0; i < elements; ++i) cells[i] = {};
  std::vector<uint32_t> order = randomBelow(elements);
  uint32_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(++cells[order[++i & (kMany - 1)]].words[0]);
}

// Of a range of any length.
void rangeMinimum(benchmark::State& state) {
  auto size = static_cast<uint32_t>(state.range(0));
  std::vector<uint32_t> values(size);
  std::mt19937 random(7);
  for (uint32_t& v : values) v = static_cast<uint32_t>(random());
  RangeMinima minima(std::move(values));
  std::vector<uint32_t> ends = randomBelow(size);
  uint32_t i = 0;
  for (auto _ : state) {
    auto [begin, end] = std::minmax(ends[i & (kMany - 1)], ends[(i + 1) & (kMany - 1)]);
    benchmark::DoNotOptimize(minima.minimum(begin, end));
    ++i;
  }
}

BENCHMARK(clockShare)->Arg(8)->Arg(64)->Arg(512);
BENCHMARK(clockCopy)->Arg(8)->Arg(64)->Arg(512);
BENCHMARK(clockRaise)->Arg(8)->Arg(64)->Arg(512);
BENCHMARK(clockJoin)->Arg(8)->Arg(64)->Arg(512);
BENCHMARK(clockCovers)->Arg(8)->Arg(64)->Arg(512);
BENCHMARK(stampWithin)->Arg(8)->Arg(64)->Arg(512);
BENCHMARK(stampJoinInto)->Arg(8)->Arg(64)->Arg(512);
BENCHMARK(locate)->Arg(8)->Arg(64)->Arg(1024)->Arg(65536);
BENCHMARK(locksetStep)->Arg(16)->Arg(4096);
// A fixed number: sets are never forgotten.
BENCHMARK(locksetNew)->Iterations(1 << 17);
BENCHMARK(chunkedRandom)->Arg(64)->Arg(100000);
BENCHMARK(rangeMinimum)->Arg(64)->Arg(4096)->Arg(1000000);

}  // namespace
}  // namespace predrace

BENCHMARK_MAIN();
