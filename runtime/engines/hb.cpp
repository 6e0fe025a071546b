#include "runtime/engines/hb.h"

#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "runtime/engines/cp_variables.h"
#include "runtime/engines/vector_clock.h"

namespace predrace {

namespace {
using Clock = VectorClock<uint32_t>;
}

struct HbEngine::State {
  struct Lock {
    Clock exclusive;  // of the last exclusive release
    Clock shared;     // of all shared releases
  };
  struct Variable {
    std::vector<cp::Access> accesses;
    bool raced = false;
  };

  explicit State(RaceSink s) : sink(std::move(s)) {}

  Clock& clock(uint32_t t) {
    if (t >= threads.size()) threads.resize(t + 1);
    if (!threads[t][t]) threads[t].raise(pool, t, 1);
    return threads[t];
  }
  void tick(uint32_t t) { clock(t).raise(pool, t, clock(t)[t] + 1); }
  void access(const Event& e);

  RaceSink sink;
  BlockPool pool;
  std::vector<Clock> threads;
  absl::flat_hash_map<uint32_t, Lock> locks;
  absl::flat_hash_map<uint32_t, Clock> channels;
  absl::flat_hash_map<uint32_t, Variable> variables;
};

HbEngine::HbEngine(RaceSink sink) : state_(std::make_unique<State>(std::move(sink))) {}
HbEngine::~HbEngine() = default;

void HbEngine::State::access(const Event& e) {
  Clock& c = clock(e.thread);
  cp::Kind kind = cp::kindOf(e.op);
  Variable& v = variables[e.target];
  cp::Access* mine = nullptr;
  bool raced = v.raced;
  for (cp::Access& a : v.accesses) {
    cp::Kind other = cp::kindOf(a.op);
    if (a.lane == e.thread) {
      if (other == kind) mine = &a;
    } else if ((cp::kConflicts[kind] & cp::bit(other)) && a.epoch > c[a.lane]) {
      sink({.first = {a.index, a.lane, a.site, kNone, a.op},
            .second = {e.index, e.thread, e.site, kNone, e.op},
            .variable = e.target,
            .unordered = true,
            .mustOrdered = false,
            .firstOnVariable = !raced,
            .handOver = {}});
      raced = true;
    }
  }
  v.raced = raced;
  if (!mine) mine = &v.accesses.emplace_back();
  *mine = {e.index, e.site, kNone, c[e.thread], static_cast<uint16_t>(e.thread), e.op};
}

void HbEngine::on(const Event& e) {
  State& s = *state_;
  Clock& c = s.clock(e.thread);
  switch (e.op) {
    case Op::Read:
    case Op::Write:
    case Op::AtomicRead:
    case Op::AtomicWrite:
    case Op::AtomicUpdate:
      return s.access(e);
    case Op::Acquire:
      c.join(s.pool, s.locks[e.target].exclusive);
      return c.join(s.pool, s.locks[e.target].shared);
    case Op::SharedAcquire:
      return c.join(s.pool, s.locks[e.target].exclusive);
    case Op::Release:
      s.locks[e.target].exclusive = c;
      return s.tick(e.thread);
    case Op::SharedRelease:
      s.locks[e.target].shared.join(s.pool, c);
      return s.tick(e.thread);
    case Op::Fork: {
      Clock parent = c;
      s.clock(e.target).join(s.pool, parent);
      return s.tick(e.thread);
    }
    case Op::Join: {
      Clock child = s.clock(e.target);
      return s.clock(e.thread).join(s.pool, child);
    }
    case Op::Send:
      s.channels[e.target].join(s.pool, c);
      return s.tick(e.thread);
    case Op::Receive:
      return c.join(s.pool, s.channels[e.target]);
    case Op::At:
    case Op::Begin:
    case Op::End:
    case Op::Branch:
      return;
  }
}

void HbEngine::splitVariable(uint32_t from, uint32_t to) {
  State::Variable copy = state_->variables[from];
  state_->variables[to] = std::move(copy);
}
void HbEngine::forgetVariable(uint32_t variable) { state_->variables.erase(variable); }
void HbEngine::forgetChannel(uint32_t channel) { state_->channels.erase(channel); }
void HbEngine::forgetLock(uint32_t lock) { state_->locks.erase(lock); }

size_t HbEngine::memoryBytes() const {
  return state_->pool.memoryBytes() + state_->variables.capacity() * sizeof(State::Variable) +
         state_->locks.capacity() * sizeof(State::Lock);
}

}  // namespace predrace
