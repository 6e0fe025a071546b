#include "runtime/engines/eraser.h"

#include <utility>

#include "runtime/engines/chunked.h"
#include "runtime/engines/fold_chunks.h"
#include "runtime/engines/held_locks.h"
#include "runtime/engines/look_ahead.h"

namespace predrace {

struct EraserEngine::State {
  // What a report tells of an access, without a hole.
  struct [[gnu::packed]] Seen {
    uint32_t thread = 0, site = 0;
    uint32_t indexLow = 0;
    uint16_t indexHigh : 13 = 0;
    uint16_t op : 3 = 0;

    void set(const Event& e) {
      thread = e.thread;
      site = e.site;
      indexLow = static_cast<uint32_t>(e.index);
      indexHigh = static_cast<uint16_t>(e.index >> 32);
      op = static_cast<uint16_t>(e.op);
    }
    uint64_t index() const { return uint64_t{indexHigh} << 32 | indexLow; }
    RacingAccess racing() const { return {index(), thread, site, kNone, static_cast<Op>(op)}; }
  };

  // Half a cache line.
  struct Variable {
    Seen last;
    Seen other;  // the latest access of another thread than last's
    uint32_t candidates : 28 = 0;
    uint32_t seen : 1 = 0;
    uint32_t several : 1 = 0;  // threads: other is one
    uint32_t written : 1 = 0;
    uint32_t violated : 1 = 0;
  };
  static_assert(sizeof(Variable) == 32);

  explicit State(RaceSink s) : sink(std::move(s)) {}

  void on(const Event& e);
  void access(Variable& v, const Event& e);
  [[gnu::noinline]] void report(Variable& v, uint32_t x);
  void compact();

  RaceSink sink;
  HeldLocks held;
  Chunked<Variable, 9> variables;
};

inline void EraserEngine::State::on(const Event& e) {
  if (isAccess(e.op)) return access(variables[e.target], e);
  switch (e.op) {
    case Op::Acquire:
    case Op::SharedAcquire:
      return held.acquire(e.thread, e.target, e.op == Op::SharedAcquire);
    case Op::Release:
    case Op::SharedRelease:
      return held.release(e.thread, e.target, e.op == Op::SharedRelease);
    case Op::End:
      return held.end(e.thread);
    case Op::Read:
    case Op::Write:
    case Op::Update:
    case Op::AtomicRead:
    case Op::AtomicWrite:
    case Op::AtomicUpdate:
    case Op::Fork:
    case Op::Join:
    case Op::Send:
    case Op::Receive:
    case Op::At:
    case Op::Begin:
    case Op::Branch:
    case Op::Inner:
      return;
  }
}

inline void EraserEngine::State::access(Variable& v, const Event& e) {
  if (v.violated) return;
  const HeldLocks::Protection& p = held.of(e.thread);
  uint32_t set = writes(e.op) ? p.writes : p.reads;
  if (!v.seen) {
    v.seen = 1;
    v.candidates = set;
  } else {
    if (v.candidates != set) v.candidates = held.common(v.candidates, set);
    if (v.last.thread != e.thread) {
      v.other = v.last;
      v.several = 1;
    }
  }
  v.written |= writes(e.op);
  v.last.set(e);
  if (v.candidates == Locksets::kEmpty && v.several && v.written) [[unlikely]]
    report(v, e.target);
}

void EraserEngine::State::report(Variable& v, uint32_t x) {
  v.violated = 1;
  sink({.first = v.other.racing(),
        .second = v.last.racing(),
        .variable = x,
        .unordered = false,
        .firstOnVariable = true,
        .handOver = {}});
}

void EraserEngine::State::compact() {
  held.compact([this](auto rename) {
    for (size_t c = 0; c < variables.chunks(); ++c)
      if (Variable* chunk = variables.chunk(c))
        for (uint32_t i = 0; i < variables.kChunk; ++i) chunk[i].candidates = rename(chunk[i].candidates);
  });
}

EraserEngine::EraserEngine(RaceSink sink) : state_(std::make_unique<State>(std::move(sink))) {}
EraserEngine::~EraserEngine() = default;

void EraserEngine::on(const Event& e) { state_->on(e); }

void EraserEngine::run(std::span<const Event> events) {
  lookAhead(
      events, [s = state_.get()](const Event& e) { s->variables.prefetch(e.target); },
      [s = state_.get()](const Event& e) { s->on(e); });
}

void EraserEngine::splitVariable(uint32_t from, uint32_t to) {
  if (const State::Variable* v = state_->variables.find(from)) state_->variables[to] = *v;
}
void EraserEngine::forgetVariable(uint32_t variable) {
  if (State::Variable* v = state_->variables.find(variable)) *v = State::Variable();
}
void EraserEngine::forgetLock(uint32_t lock) { state_->held.forget(lock); }

size_t EraserEngine::memoryBytes() const {
  return state_->held.memoryBytes() + state_->variables.memoryBytes();
}

uint64_t EraserEngine::fold(size_t targetBytes) {
  if (memoryBytes() <= targetBytes) return 0;
  state_->compact();
  uint64_t folded = foldChunks(
      state_->variables, [](const State::Variable& v) { return v.last.index(); },
      [&](size_t c) {
        uint64_t known = 0;
        for (uint32_t i = 0; i < state_->variables.kChunk; ++i) known += state_->variables.chunk(c)[i].seen;
        state_->variables.drop(c);
        return known;
      },
      [&] { return memoryBytes() <= targetBytes; });
  if (folded) state_->compact();
  return folded;
}

}  // namespace predrace
