#include "runtime/engines/cp.h"

#include <utility>

#include "runtime/engines/cp_analysis.h"
#include "runtime/engines/look_ahead.h"

namespace predrace {

CpEngine::CpEngine(CpOptions options, RaceSink sink)
    : analysis_(std::make_unique<cp::Analysis>(options, std::move(sink))) {}
CpEngine::~CpEngine() = default;

void CpEngine::on(const Event& e) { analysis_->on(e); }
void CpEngine::run(std::span<const Event> events) {
  lookAhead(
      events, [a = analysis_.get()](const Event& e) { a->expect(e); },
      [a = analysis_.get()](const Event& e) { a->expectMore(e); },
      [a = analysis_.get()](const Event& e) { a->on(e); });
}
void CpEngine::expect(const Event& e) { analysis_->expect(e); }
void CpEngine::finish() { analysis_->finish(); }
void CpEngine::splitVariable(uint32_t from, uint32_t to) { analysis_->splitVariable(from, to); }
void CpEngine::forgetVariable(uint32_t variable) { analysis_->forgetVariable(variable); }
void CpEngine::forgetChannel(uint32_t channel) { analysis_->forgetChannel(channel); }
void CpEngine::forgetLock(uint32_t lock) { analysis_->forgetLock(lock); }
void CpEngine::forgetObject(uint32_t object) { analysis_->forgetObject(object); }
size_t CpEngine::memoryBytes() const { return analysis_->memoryBytes(); }
uint64_t CpEngine::fold(size_t targetBytes) { return analysis_->fold(targetBytes); }
bool CpEngine::wellNested() const { return analysis_->wellNested(); }
const Locksets& CpEngine::locksets() const { return analysis_->locksets(); }
CpStats CpEngine::stats() const { return analysis_->stats(); }

}  // namespace predrace
