// Events per second and memory of the CP engine on synthetic traces of the usual shapes.
//
//   engine_bench [--benchmark_filter=...]      not a test; run by hand
#include <benchmark/benchmark.h>

#include <cstdint>
#include <random>
#include <vector>

#include "runtime/engines/cp.h"

namespace predrace {
namespace {

struct Shape {
  uint32_t threads = 8, locks = 16, variables = 1024;
  double guarded = 1;  // of the accesses in sections: to a variable of that lock, else to any
  double outside = 0;  // accesses outside of sections, to variables of the thread's own
  double nested = 0;   // sections begun inside others
  double shared = 0;   // sections that are shared ones
  double reads = 0.6;
  uint32_t length = 4;    // accesses per section, on average
  bool ownLocks = false;  // each thread uses its own locks only
  bool longHeld = false;  // thread 0 holds one more lock all the time, which thread 1 had before
};

std::vector<Event> make(const Shape& s, size_t events) {
  std::mt19937_64 random(7);
  auto below = [&](uint64_t n) { return static_cast<uint32_t>(random() % n); };
  auto chance = [&](double p) { return static_cast<double>(random() >> 11) * 0x1p-53 < p; };
  struct Taken {
    uint32_t lock;
    bool shared;
  };
  std::vector<Event> out;
  std::vector<std::vector<Taken>> held(s.threads);
  std::vector<int> writer(s.locks, -1), readers(s.locks, 0);
  auto add = [&](Op op, uint32_t t, uint32_t x) { out.push_back({op, t, x, below(1000), out.size()}); };
  for (uint32_t t = 1; t < s.threads; ++t) add(Op::Fork, 0, t);
  if (s.longHeld) {
    for (Op op : {Op::Acquire, Op::Release}) add(op, 1, s.locks);
    add(Op::Acquire, 0, s.locks);
  }
  while (out.size() < events) {
    uint32_t t = below(s.threads);
    auto& mine = held[t];
    for (int burst = 0; burst < 3; ++burst) {  // threads run for a while
      if (mine.empty() && chance(s.outside)) {
        add(chance(s.reads) ? Op::Read : Op::Write, t, s.variables + t * 64 + below(64));
        continue;
      }
      if (mine.empty() || (mine.size() < 3 && chance(s.nested))) {
        uint32_t l = s.ownLocks ? t + s.threads * below(s.locks / s.threads) : below(s.locks);
        if (!mine.empty() && l <= mine.back().lock) continue;
        bool shared = chance(s.shared);
        if (writer[l] >= 0 || (!shared && readers[l])) continue;
        if (shared)
          ++readers[l];
        else
          writer[l] = static_cast<int>(t);
        mine.push_back({l, shared});
        add(shared ? Op::SharedAcquire : Op::Acquire, t, l);
      } else if (chance(1.0 / (s.length + 1))) {
        Taken x = mine.back();
        mine.pop_back();
        if (x.shared)
          --readers[x.lock];
        else
          writer[x.lock] = -1;
        add(x.shared ? Op::SharedRelease : Op::Release, t, x.lock);
      } else {
        uint32_t x = below(s.variables);
        if (chance(s.guarded)) x = x / s.locks * s.locks + mine.back().lock;
        if (x >= s.variables) x = mine.back().lock;
        bool read = mine.back().shared || chance(s.reads);
        add(read ? Op::Read : Op::Write, t, x);
      }
    }
  }
  return out;
}

void run(benchmark::State& state, const Shape& shape, CpOptions options, size_t events = 2000000) {
  std::vector<Event> trace = make(shape, events);
  CpStats stats;
  size_t bytes = 0;
  for (auto _ : state) {
    CpEngine engine(options, [](const Race&) {});
    for (size_t i = 0; i < trace.size(); ++i) {
      if (i + 16 < trace.size()) engine.expect(trace[i + 16]);
      engine.on(trace[i]);
    }
    bytes = engine.memoryBytes();
    stats = engine.stats();
    engine.finish();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(trace.size()));
  state.counters["ns"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * static_cast<double>(trace.size()) * 1e-9,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["MB"] = static_cast<double>(bytes) * 1e-6;
  state.counters["fast%"] = 100.0 * static_cast<double>(stats.fast) / static_cast<double>(stats.accesses);
  state.counters["unknown%"] =
      100.0 * static_cast<double>(stats.unknown) / static_cast<double>(stats.sections);
  state.counters["deferred"] = static_cast<double>(stats.deferred);
  state.counters["races"] = static_cast<double>(stats.races);
  state.counters["records"] = static_cast<double>(stats.recordsNow);
}

const CpOptions kFull;
const CpOptions kBare{.must_order = false, .hand_over = false};

void add(const char* name, Shape s) {
  for (bool full : {false, true})
    benchmark::RegisterBenchmark((std::string(name) + (full ? "/live" : "/bare")).c_str(),
                                 [=](benchmark::State& st) { run(st, s, full ? kFull : kBare); })
        ->Unit(benchmark::kMillisecond);
}

}  // namespace
}  // namespace predrace

int main(int argc, char** argv) {
  using predrace::Shape;
  predrace::add("guarded_64", Shape{.variables = 64});
  predrace::add("guarded_1k", Shape{});
  predrace::add("guarded_100k", Shape{.variables = 100000});
  predrace::add("outside_100k", Shape{.variables = 100000, .outside = 0.8});
  predrace::add("nested", Shape{.nested = 0.2});
  predrace::add("some_races", Shape{.guarded = 0.99});
  predrace::add("all_races", Shape{.guarded = 0});
  predrace::add("own_locks", Shape{.locks = 64, .variables = 4096, .ownLocks = true});
  predrace::add("one_lock", Shape{.locks = 1, .variables = 16});
  predrace::add("long_held", Shape{.longHeld = true});
  predrace::add("long_held_races", Shape{.guarded = 0.9, .longHeld = true});
  predrace::add("shared_locks", Shape{.shared = 0.9});
  predrace::add("many_threads", Shape{.threads = 64, .locks = 5000, .variables = 100000});
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
