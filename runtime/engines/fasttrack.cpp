#include "runtime/engines/fasttrack.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "runtime/engines/chunked.h"
#include "runtime/engines/epoch_access.h"
#include "runtime/engines/fold_chunks.h"
#include "runtime/engines/hb_clocks.h"
#include "runtime/engines/look_ahead.h"

namespace predrace {

struct FastTrackEngine::State {
  // No lane gets to this tick (HbClocks leaves it long before) or has this number: a read at it
  // is ordered before nothing.
  static constexpr uint32_t kShared = ~0u;
  static constexpr uint32_t kNoLane = (1u << 18) - 1;

  // Half a cache line.
  struct Variable {
    EpochAccess write;  // flag: there were atomic accesses
    EpochAccess read;   // flag: a race was reported. Tick kShared: see Aside::reads
  };
  static_assert(sizeof(Variable) == 32);

  using PerLane = std::vector<EpochAccess>;
  struct Aside {
    PerLane reads;  // the plain ones, while they are concurrent
    PerLane atomicReads, atomicWrites;

    size_t bytes() const {
      return (reads.capacity() + atomicReads.capacity() + atomicWrites.capacity()) * sizeof(EpochAccess);
    }
  };

  explicit State(RaceSink s) : sink(std::move(s)) {}

  void on(const Event& e) {
    uint32_t lane = clocks.laneOf(e.thread);
    if (!isAccess(e.op)) return clocks.on(lane, e);
    Variable& v = variables[e.target];
    if (!exclusive(v, lane, e)) [[unlikely]]
      access(v, lane, e);
  }

  // [Read Exclusive] and [Write Exclusive] have one condition, and [Read Same Epoch] and [Write
  // Same Epoch] imply it. No branch tells them apart: it could not be predicted.
  bool exclusive(Variable& v, uint32_t lane, const Event& e) {
    bool write = before(v.write, lane), read = before(v.read, lane);
    if (v.write.flag || isAtomic(e.op) || !(write & read)) return false;
    (e.op == Op::Read ? v.read : v.write).set(e, lane, clocks.own(lane));
    return true;
  }
  [[gnu::noinline]] void access(Variable& v, uint32_t lane, const Event& e) {
    if (e.op == Op::Read)
      read(v, lane, e);
    else if (!isAtomic(e.op))
      write(v, lane, e);
    else
      atomic(v, lane, e);
  }
  void read(Variable& v, uint32_t lane, const Event& e);
  void write(Variable& v, uint32_t lane, const Event& e);
  void atomic(Variable& v, uint32_t lane, const Event& e);
  void share(Variable& v, uint32_t lane, const Event& e);

  bool before(const EpochAccess& a, uint32_t lane) const {
    return clocks.ordered(static_cast<uint32_t>(a.lane), a.tick, lane);
  }
  // Reports the first of these that is unordered with e.
  bool races(const EpochAccess& a, Variable& v, uint32_t lane, const Event& e) {
    if (before(a, lane)) [[likely]]
      return false;
    report(a, v, e);
    return true;
  }
  bool races(const PerLane& accesses, Variable& v, uint32_t lane, const Event& e) {
    for (const EpochAccess& a : accesses)
      if (races(a, v, lane, e)) return true;
    return false;
  }
  bool racesReads(Variable& v, uint32_t lane, const Event& e) {
    if (v.read.tick == kShared) return races(asides[e.target].reads, v, lane, e);
    return races(v.read, v, lane, e);
  }

  void put(PerLane& accesses, const EpochAccess& a);
  void put(PerLane& accesses, uint32_t lane, const Event& e) {
    EpochAccess a;
    a.set(e, lane, clocks.own(lane));
    put(accesses, a);
  }
  [[gnu::noinline]] void report(const EpochAccess& a, Variable& v, const Event& e);
  void forget(uint32_t x);
  uint64_t dropChunk(size_t c);

  RaceSink sink;
  HbClocks clocks;
  Chunked<Variable, 9> variables;
  Chunked<Aside, 5> asides;
  size_t asideBytes = 0;  // beyond the chunks
};

void FastTrackEngine::State::read(Variable& v, uint32_t lane, const Event& e) {
  if (!races(v.write, v, lane, e) && v.write.flag) races(asides[e.target].atomicWrites, v, lane, e);
  if (v.read.tick != kShared && before(v.read, lane))
    v.read.set(e, lane, clocks.own(lane));
  else
    share(v, lane, e);
}

// [Read Share] the first time, then [Read Shared].
void FastTrackEngine::State::share(Variable& v, uint32_t lane, const Event& e) {
  PerLane& reads = asides[e.target].reads;
  if (v.read.tick != kShared) {
    EpochAccess former = v.read;
    former.flag = 0;
    put(reads, former);
    v.read.tick = kShared;
    v.read.lane = kNoLane;
  }
  put(reads, lane, e);
}

// An update is also a read, but whatever races with that races with its write.
void FastTrackEngine::State::write(Variable& v, uint32_t lane, const Event& e) {
  bool raced = races(v.write, v, lane, e) || racesReads(v, lane, e);
  if (v.write.flag && !raced) {
    const Aside& aside = asides[e.target];
    races(aside.atomicWrites, v, lane, e) || races(aside.atomicReads, v, lane, e);
  }
  v.write.set(e, lane, clocks.own(lane));
  if (v.read.tick == kShared) {
    asides[e.target].reads.clear();  // [Write Shared]
    v.read.tick = 0;
  }
}

void FastTrackEngine::State::atomic(Variable& v, uint32_t lane, const Event& e) {
  races(v.write, v, lane, e) || (writes(e.op) && racesReads(v, lane, e));
  v.write.flag = 1;
  Aside& aside = asides[e.target];
  put(writes(e.op) ? aside.atomicWrites : aside.atomicReads, lane, e);
}

void FastTrackEngine::State::put(PerLane& accesses, const EpochAccess& a) {
  if (a.lane >= accesses.size()) {
    asideBytes -= accesses.capacity() * sizeof(EpochAccess);
    accesses.resize(a.lane + 1);
    asideBytes += accesses.capacity() * sizeof(EpochAccess);
  }
  accesses[a.lane] = a;
}

void FastTrackEngine::State::report(const EpochAccess& a, Variable& v, const Event& e) {
  bool first = !v.read.flag;
  v.read.flag = 1;
  sink({.first = a.racing(clocks),
        .second = {e.index, e.thread, e.site, kNone, e.op},
        .variable = e.target,
        .unordered = true,
        .firstOnVariable = first,
        .handOver = {}});
}

void FastTrackEngine::State::forget(uint32_t x) {
  if (Variable* v = variables.find(x)) *v = Variable();
  if (Aside* a = asides.find(x)) {
    asideBytes -= a->bytes();
    *a = Aside();
  }
}

uint64_t FastTrackEngine::State::dropChunk(size_t c) {
  uint64_t accesses = 0;
  for (uint32_t i = 0; i < variables.kChunk; ++i) {
    const Variable& v = variables.chunk(c)[i];
    accesses += (v.write ? 1 : 0) + (v.read ? 1 : 0);
    forget(static_cast<uint32_t>(c) * variables.kChunk + i);
  }
  variables.drop(c);
  asides.dropRange(c, variables.kChunk);
  return accesses;
}

FastTrackEngine::FastTrackEngine(RaceSink sink) : state_(std::make_unique<State>(std::move(sink))) {}
FastTrackEngine::~FastTrackEngine() = default;

void FastTrackEngine::on(const Event& e) { state_->on(e); }

void FastTrackEngine::run(std::span<const Event> events) {
  lookAhead(
      events, [s = state_.get()](const Event& e) { s->variables.prefetch(e.target); },
      [s = state_.get()](const Event& e) { s->on(e); });
}

void FastTrackEngine::splitVariable(uint32_t from, uint32_t to) {
  const State::Variable* v = state_->variables.find(from);
  if (!v) return;
  state_->variables[to] = *v;
  if (const State::Aside* a = state_->asides.find(from)) {
    State::Aside& copy = state_->asides[to];
    state_->asideBytes -= copy.bytes();
    copy = *a;
    state_->asideBytes += copy.bytes();
  }
}
void FastTrackEngine::forgetVariable(uint32_t variable) { state_->forget(variable); }
void FastTrackEngine::forgetChannel(uint32_t channel) { state_->clocks.forgetChannel(channel); }
void FastTrackEngine::forgetLock(uint32_t lock) { state_->clocks.forgetLock(lock); }

size_t FastTrackEngine::memoryBytes() const {
  return state_->clocks.memoryBytes() + state_->variables.memoryBytes() + state_->asides.memoryBytes() +
         state_->asideBytes;
}

uint64_t FastTrackEngine::fold(size_t targetBytes) {
  return foldChunks(
      state_->variables,
      [](const State::Variable& v) { return std::max<uint64_t>(v.write.index, v.read.index); },
      [&](size_t c) { return state_->dropChunk(c); }, [&] { return memoryBytes() <= targetBytes; });
}

}  // namespace predrace
