#include "runtime/engines/hb.h"

#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "runtime/engines/cp_variables.h"
#include "runtime/engines/lanes.h"
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
  struct Last {
    RacingAccess access;
    uint32_t lane, epoch;
  };
  struct Variable {
    std::vector<Last> last;  // of each lane and kind
    bool raced = false;
  };

  explicit State(RaceSink s) : sink(std::move(s)) {}

  uint32_t laneOf(uint32_t thread) {
    if (uint32_t lane = lanes.of(thread); lane != kNone) return lane;
    Clock parent = std::exchange(forked[thread], Clock());
    forked.erase(thread);
    auto place = lanes.start(thread, [&](uint32_t lane) { return parent[lane]; });
    if (place.lane >= clocks.size()) clocks.resize(place.lane + 1);
    clocks[place.lane] = parent;
    clocks[place.lane].raise(pool, place.lane, place.from + 1);
    return place.lane;
  }
  void tick(uint32_t lane) { clocks[lane].raise(pool, lane, clocks[lane][lane] + 1); }
  void access(uint32_t lane, const Event& e);

  RaceSink sink;
  BlockPool pool;
  Lanes<uint32_t> lanes;
  std::vector<Clock> clocks;  // by lane
  absl::flat_hash_map<uint32_t, Clock> forked;
  absl::flat_hash_map<uint32_t, Lock> locks;
  absl::flat_hash_map<uint32_t, Clock> channels;
  absl::flat_hash_map<uint32_t, Variable> variables;
};

HbEngine::HbEngine(RaceSink sink) : state_(std::make_unique<State>(std::move(sink))) {}
HbEngine::~HbEngine() = default;

void HbEngine::State::access(uint32_t lane, const Event& e) {
  const Clock& c = clocks[lane];
  cp::Kind kind = cp::kindOf(e.op);
  Variable& v = variables[e.target];
  RacingAccess second{e.index, e.thread, e.site, kNone, e.op};
  Last* mine = nullptr;
  for (Last& a : v.last) {
    cp::Kind other = cp::kindOf(a.access.op);
    if (a.lane == lane) {
      if (other == kind) mine = &a;
    } else if ((cp::kConflicts[kind] & cp::bit(other)) && a.epoch > c[a.lane]) {
      sink({.first = a.access,
            .second = second,
            .variable = e.target,
            .unordered = true,
            .mustOrdered = false,
            .firstOnVariable = !v.raced,
            .handOver = {}});
      v.raced = true;
    }
  }
  if (!mine) mine = &v.last.emplace_back();
  *mine = {second, lane, c[lane]};
}

void HbEngine::on(const Event& e) {
  State& s = *state_;
  uint32_t lane = s.laneOf(e.thread);
  Clock& c = s.clocks[lane];
  switch (e.op) {
    case Op::Read:
    case Op::Write:
    case Op::Update:
    case Op::AtomicRead:
    case Op::AtomicWrite:
    case Op::AtomicUpdate:
      return s.access(lane, e);
    case Op::Acquire:
      c.join(s.pool, s.locks[e.target].exclusive);
      return c.join(s.pool, s.locks[e.target].shared);
    case Op::SharedAcquire:
      return c.join(s.pool, s.locks[e.target].exclusive);
    case Op::Release:
      s.locks[e.target].exclusive = c;
      return s.tick(lane);
    case Op::SharedRelease:
      s.locks[e.target].shared.join(s.pool, c);
      return s.tick(lane);
    case Op::Fork:
      if (s.lanes.everOf(e.target) == kNone) s.forked[e.target] = c;
      return s.tick(lane);
    case Op::Join: {
      uint32_t child = s.lanes.of(e.target);
      if (child == kNone) return;
      c.join(s.pool, s.clocks[child]);
      return s.lanes.end(e.target, s.clocks[child][child]);
    }
    case Op::Send:
      s.channels[e.target].join(s.pool, c);
      return s.tick(lane);
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
         state_->locks.capacity() * sizeof(State::Lock) + state_->lanes.memoryBytes();
}

}  // namespace predrace
