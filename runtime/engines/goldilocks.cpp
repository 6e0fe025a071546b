#include "runtime/engines/goldilocks.h"

#include <algorithm>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "runtime/engines/chunked.h"
#include "runtime/engines/cp_variables.h"
#include "runtime/engines/goldilocks_sync.h"

namespace predrace {
namespace {

struct Kept {
  uint64_t index;
  uint32_t site;
  uint32_t thread;
  LocksetTable::Set set;
  Op op;

  RacingAccess access() const { return {index, thread, site, kNone, op}; }
};
static_assert(sizeof(Kept) == 24);

struct alignas(64) Variable {
  absl::InlinedVector<Kept, 2> kept;
  bool raced = false;

  size_t spilled() const { return kept.capacity() > 2 ? kept.capacity() * sizeof(Kept) : 0; }
};
static_assert(sizeof(Variable) == 64, "one cache line");

}  // namespace

struct GoldilocksEngine::State {
  explicit State(RaceSink s) : sink(std::move(s)) {}

  void on(const Event& e) {
    uint32_t lane = sync.laneOf(e.thread);
    if (isAccess(e.op))
      access(lane, e);
    else
      sync.on(lane, e);
  }
  void access(uint32_t lane, const Event& e);
  void compare(uint32_t lane, const Event& e, Variable& v);
  void report(Variable& v, const Kept& first, const Event& e);
  void clear(Variable& v);
  uint64_t dropOrdered();

  RaceSink sink;
  GoldilocksSync sync;
  Chunked<Variable, 8> variables;
  size_t spilled = 0;  // bytes of variables with many accesses
};

GoldilocksEngine::GoldilocksEngine(RaceSink sink) : state_(std::make_unique<State>(std::move(sink))) {}
GoldilocksEngine::~GoldilocksEngine() = default;

void GoldilocksEngine::State::access(uint32_t lane, const Event& e) {
  LocksetTable::Set set = sync.setOf(lane);
  Variable& v = variables[e.target];
  cp::Kind kind = cp::kindOf(e.op);
  // Alone and of this very lockset: nothing to race with, nothing new to keep.
  if (v.kept.size() == 1 && v.kept[0].set == set &&
      (cp::kCoveredBy[kind] & cp::bit(cp::kindOf(v.kept[0].op))))
    return;
  compare(lane, e, v);
  size_t before = v.spilled();
  v.kept.push_back({e.index, e.site, e.thread, set, e.op});
  spilled += v.spilled() - before;
  sync.table().hold(set);
}

// Reports the races of e, and drops the accesses that e makes needless.
void GoldilocksEngine::State::compare(uint32_t lane, const Event& e, Variable& v) {
  LocksetTable& table = sync.table();
  LocksetTable::Element thread = sync.elementOf(lane);
  cp::Kind kind = cp::kindOf(e.op);
  auto out = v.kept.begin();
  for (const Kept& k : v.kept) {
    uint8_t other = cp::bit(cp::kindOf(k.op));
    bool ordered = table.has(k.set, thread);
    if (!ordered && (cp::kConflicts[kind] & other)) report(v, k, e);
    if (ordered && (cp::kCovers[kind] & other))
      table.drop(k.set);
    else
      *out++ = k;
  }
  v.kept.erase(out, v.kept.end());
}

void GoldilocksEngine::State::report(Variable& v, const Kept& first, const Event& e) {
  sink({.first = first.access(),
        .second = {e.index, e.thread, e.site, kNone, e.op},
        .variable = e.target,
        .unordered = true,
        .firstOnVariable = !v.raced,
        .handOver = {}});
  v.raced = true;
}

void GoldilocksEngine::State::clear(Variable& v) {
  for (const Kept& k : v.kept) sync.table().drop(k.set);
  spilled -= v.spilled();
  v = Variable();
}

// Accesses that are ordered before everything race with nothing. How many were there?
uint64_t GoldilocksEngine::State::dropOrdered() {
  LocksetTable& table = sync.table();
  uint64_t dropped = 0;
  for (size_t c = 0; c < variables.chunks(); ++c) {
    Variable* chunk = variables.chunk(c);
    if (!chunk) continue;
    bool used = false;
    for (Variable* v = chunk; v != chunk + variables.kChunk; ++v) {
      auto end = std::remove_if(v->kept.begin(), v->kept.end(), [&](const Kept& k) {
        if (!table.isEverything(k.set)) return false;
        table.drop(k.set);
        return true;
      });
      dropped += static_cast<uint64_t>(v->kept.end() - end);
      spilled -= v->spilled();
      v->kept.erase(end, v->kept.end());
      v->kept.shrink_to_fit();
      spilled += v->spilled();
      used |= !v->kept.empty() || v->raced;
    }
    if (!used) variables.drop(c);
  }
  return dropped;
}

void GoldilocksEngine::on(const Event& e) { state_->on(e); }

void GoldilocksEngine::run(std::span<const Event> events) {
  constexpr size_t kAhead = 12;  // events from the memory of a variable to its use
  for (size_t i = 0; i < events.size(); ++i) {
    if (i + kAhead < events.size() && isAccess(events[i + kAhead].op))
      __builtin_prefetch(state_->variables.find(events[i + kAhead].target));
    state_->on(events[i]);
  }
}

void GoldilocksEngine::splitVariable(uint32_t from, uint32_t to) {
  const Variable* v = state_->variables.find(from);
  if (!v) return;
  Variable& copy = state_->variables[to];
  state_->clear(copy);
  copy = *v;
  for (const Kept& k : copy.kept) state_->sync.table().hold(k.set);
  state_->spilled += copy.spilled();
}

void GoldilocksEngine::forgetVariable(uint32_t variable) {
  if (Variable* v = state_->variables.find(variable)) state_->clear(*v);
}
void GoldilocksEngine::forgetChannel(uint32_t channel) { state_->sync.forgetChannel(channel); }
void GoldilocksEngine::forgetLock(uint32_t lock) { state_->sync.forgetLock(lock); }

size_t GoldilocksEngine::memoryBytes() const {
  return state_->sync.memoryBytes() + state_->variables.memoryBytes() + state_->spilled;
}

uint64_t GoldilocksEngine::fold(size_t targetBytes) {
  uint64_t folded = 0;
  while (memoryBytes() > targetBytes && state_->sync.table().foldOldest()) folded += state_->dropOrdered();
  return folded;
}

size_t GoldilocksEngine::locksets() const { return state_->sync.table().size(); }

}  // namespace predrace
