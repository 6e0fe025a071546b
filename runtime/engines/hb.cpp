#include "runtime/engines/hb.h"

#include <utility>

#include "runtime/engines/hb_clocks.h"
#include "runtime/engines/kept_accesses.h"
#include "runtime/engines/look_ahead.h"

namespace predrace {

struct HbEngine::State {
  explicit State(RaceSink s) : sink(std::move(s)) {}

  void on(const Event& e) {
    uint32_t lane = clocks.laneOf(e.thread);
    if (!isAccess(e.op)) return clocks.on(lane, e);
    KeptAccesses::Variable& v = accesses[e.target];
    if (accesses.usual(v, lane, e)) [[likely]]
      return;
    accesses.check(v, lane, e);
    accesses.keep(v, lane, e);
  }

  RaceSink sink;
  HbClocks clocks;
  KeptAccesses accesses{clocks, sink};
};

HbEngine::HbEngine(RaceSink sink) : state_(std::make_unique<State>(std::move(sink))) {}
HbEngine::~HbEngine() = default;

void HbEngine::on(const Event& e) { state_->on(e); }

void HbEngine::run(std::span<const Event> events) {
  lookAhead(
      events, [s = state_.get()](const Event& e) { s->accesses.prefetch(e.target); },
      [s = state_.get()](const Event& e) { s->on(e); });
}

void HbEngine::splitVariable(uint32_t from, uint32_t to) { state_->accesses.split(from, to); }
void HbEngine::forgetVariable(uint32_t variable) { state_->accesses.forget(variable); }
void HbEngine::forgetChannel(uint32_t channel) { state_->clocks.forgetChannel(channel); }
void HbEngine::forgetLock(uint32_t lock) { state_->clocks.forgetLock(lock); }

size_t HbEngine::memoryBytes() const { return state_->clocks.memoryBytes() + state_->accesses.memoryBytes(); }

uint64_t HbEngine::fold(size_t targetBytes) {
  return state_->accesses.fold([&] { return memoryBytes() <= targetBytes; }, [](size_t) {});
}

}  // namespace predrace
