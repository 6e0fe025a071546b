#include "runtime/engines/shb.h"

#include <utility>

#include "runtime/engines/chunked.h"
#include "runtime/engines/hb_clocks.h"
#include "runtime/engines/kept_accesses.h"
#include "runtime/engines/look_ahead.h"

namespace predrace {

struct ShbEngine::State {
  using Clock = HbClocks::Clock;
  using Moment = HbClocks::Moment;
  using Variable = KeptAccesses::Variable;

  explicit State(RaceSink s) : sink(std::move(s)) {}

  void on(const Event& e) {
    uint32_t lane = clocks.laneOf(e.thread);
    if (isAccess(e.op))
      access(lane, e);
    else if (e.op == Op::At)
      at(lane, e.target);
    else
      clocks.on(lane, e);
  }
  void access(uint32_t lane, const Event& e);
  [[gnu::noinline]] void unusual(Variable& v, uint32_t lane, const Event& e);
  void at(uint32_t lane, uint32_t object);

  void readFrom(const Variable& v, uint32_t lane, const Event& e);
  // To be told of every write, after it is kept. Others can be ordered after it, hence the tick.
  void noteWrite(uint32_t lane, uint32_t x) {
    clocks.note(writeClocks[x], lane);
    clocks.tick(lane);
  }
  void fold();

  RaceSink sink;
  HbClocks clocks;
  KeptAccesses accesses{clocks, sink};
  Chunked<Clock, 9> writeClocks;  // what the thread of the last write knew at it
  Chunked<Moment, 8> atomics;     // by variable: its last atomic access
  Chunked<Moment, 8> objects;     // by object: its last at
  Clock floor;                    // what comes after every forgotten write
  bool folded = false;
};

inline void ShbEngine::State::access(uint32_t lane, const Event& e) {
  Variable& v = accesses[e.target];
  // A read of a forgotten write. It races with nothing, so there is no too early here.
  if (folded && reads(e.op) && !accesses.lastWrite(v, e.target)) [[unlikely]]
    clocks.after(lane, floor);
  if (!accesses.usual(v, lane, e)) [[unlikely]]
    unusual(v, lane, e);
  // Otherwise the last write is known already.
  if (writes(e.op)) noteWrite(lane, e.target);
}

void ShbEngine::State::unusual(Variable& v, uint32_t lane, const Event& e) {
  Moment* kept = isAtomic(e.op) ? &atomics[e.target] : nullptr;
  if (kept) clocks.after(lane, *kept);
  accesses.check(v, lane, e);
  if (reads(e.op)) readFrom(v, lane, e);
  accesses.keep(v, lane, e);
  if (!kept) return;
  clocks.note(*kept, lane);
  if (!writes(e.op)) clocks.tick(lane);
}

void ShbEngine::State::at(uint32_t lane, uint32_t object) {
  Moment& last = objects[object];
  clocks.after(lane, last);
  clocks.note(last, lane);
  clocks.tick(lane);
}

void ShbEngine::State::readFrom(const Variable& v, uint32_t lane, const Event& e) {
  if (const EpochAccess* w = accesses.lastWrite(v, e.target))
    clocks.after(lane, Moment{writeClocks[e.target], static_cast<uint32_t>(w->lane), w->tick});
}

// Forgetting a write would lose order. Whoever reads from one comes after everything so far.
// Atomics and objects stay: there are few.
void ShbEngine::State::fold() {
  for (uint32_t lane = 0; lane < clocks.lanes(); ++lane) clocks.now(lane).joinInto(clocks.pool(), floor);
  folded = true;
}

ShbEngine::ShbEngine(RaceSink sink) : state_(std::make_unique<State>(std::move(sink))) {}
ShbEngine::~ShbEngine() = default;

void ShbEngine::on(const Event& e) { state_->on(e); }

void ShbEngine::run(std::span<const Event> events) {
  State& s = *state_;
  auto soon = [&](const Event& e) {
    s.accesses.prefetch(e.target);
    s.writeClocks.prefetch(e.target);
  };
  // A write drops the clock of the write before.
  auto half = [&](const Event& e) {
    if (const State::Clock* c = s.writeClocks.find(e.target)) c->prefetch();
  };
  lookAhead(events, soon, half, [&](const Event& e) { s.on(e); });
}

void ShbEngine::splitVariable(uint32_t from, uint32_t to) {
  state_->accesses.split(from, to);
  if (const State::Clock* c = state_->writeClocks.find(from)) state_->writeClocks[to] = State::Clock(*c);
  if (const State::Moment* m = state_->atomics.find(from)) state_->atomics[to] = State::Moment(*m);
}
void ShbEngine::forgetVariable(uint32_t variable) {
  state_->accesses.forget(variable);
  if (State::Clock* c = state_->writeClocks.find(variable)) c->clear();
  if (State::Moment* m = state_->atomics.find(variable)) *m = State::Moment();
}
void ShbEngine::forgetChannel(uint32_t channel) { state_->clocks.forgetChannel(channel); }
void ShbEngine::forgetLock(uint32_t lock) { state_->clocks.forgetLock(lock); }
void ShbEngine::forgetObject(uint32_t object) {
  if (State::Moment* m = state_->objects.find(object)) *m = State::Moment();
}

size_t ShbEngine::memoryBytes() const {
  return state_->clocks.memoryBytes() + state_->accesses.memoryBytes() + state_->writeClocks.memoryBytes() +
         state_->atomics.memoryBytes() + state_->objects.memoryBytes();
}

uint64_t ShbEngine::fold(size_t targetBytes) {
  if (memoryBytes() <= targetBytes) return 0;
  state_->fold();
  return state_->accesses.fold([&] { return memoryBytes() <= targetBytes; },
                               [&](size_t c) { state_->writeClocks.dropRange(c, KeptAccesses::kChunk); });
}

}  // namespace predrace
