#include "runtime/engines/hb.h"

#include <utility>
#include <vector>

#include "runtime/engines/chunked.h"
#include "runtime/engines/cp_variables.h"
#include "runtime/engines/hb_clocks.h"

namespace predrace {

struct HbEngine::State {
  struct Last {
    RacingAccess access;
    uint32_t lane, tick;
  };
  struct Variable {
    std::vector<Last> last;  // of each lane and kind
    bool raced = false;
  };

  explicit State(RaceSink s) : sink(std::move(s)) {}
  void access(uint32_t lane, const Event& e);

  RaceSink sink;
  HbClocks clocks;
  Chunked<Variable, 8> variables;
};

HbEngine::HbEngine(RaceSink sink) : state_(std::make_unique<State>(std::move(sink))) {}
HbEngine::~HbEngine() = default;

void HbEngine::State::access(uint32_t lane, const Event& e) {
  cp::Kind kind = cp::kindOf(e.op);
  Variable& v = variables[e.target];
  RacingAccess second{e.index, e.thread, e.site, kNone, e.op};
  Last* mine = nullptr;
  for (Last& a : v.last) {
    cp::Kind other = cp::kindOf(a.access.op);
    if (a.lane == lane) {
      if (other == kind) mine = &a;
    } else if ((cp::kConflicts[kind] & cp::bit(other)) && !clocks.ordered(a.lane, a.tick, lane)) {
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
  *mine = {second, lane, clocks.own(lane)};
}

void HbEngine::on(const Event& e) {
  uint32_t lane = state_->clocks.laneOf(e.thread);
  if (isAccess(e.op))
    state_->access(lane, e);
  else
    state_->clocks.on(lane, e);
}

void HbEngine::splitVariable(uint32_t from, uint32_t to) {
  if (const State::Variable* v = state_->variables.find(from)) state_->variables[to] = *v;
}
void HbEngine::forgetVariable(uint32_t variable) {
  if (State::Variable* v = state_->variables.find(variable)) *v = State::Variable();
}
void HbEngine::forgetChannel(uint32_t channel) { state_->clocks.forgetChannel(channel); }
void HbEngine::forgetLock(uint32_t lock) { state_->clocks.forgetLock(lock); }

size_t HbEngine::memoryBytes() const {
  return state_->clocks.memoryBytes() + state_->variables.memoryBytes();
}

}  // namespace predrace
