#include "runtime/engines/wcp.h"

#include <utility>

#include "runtime/engines/look_ahead.h"
#include "runtime/engines/wcp_analysis.h"

namespace predrace {

WcpEngine::WcpEngine(WcpOptions options, RaceSink sink)
    : analysis_(std::make_unique<wcp::Analysis>(options, std::move(sink))) {}
WcpEngine::~WcpEngine() = default;

void WcpEngine::on(const Event& e) { analysis_->on(e); }
void WcpEngine::run(std::span<const Event> events) {
  lookAhead(
      events, [a = analysis_.get()](const Event& e) { a->expect(e); },
      [a = analysis_.get()](const Event& e) { a->expectMore(e); },
      [a = analysis_.get()](const Event& e) { a->on(e); });
}
void WcpEngine::splitVariable(uint32_t from, uint32_t to) { analysis_->splitVariable(from, to); }
void WcpEngine::forgetVariable(uint32_t variable) { analysis_->forgetVariable(variable); }
void WcpEngine::forgetChannel(uint32_t channel) { analysis_->forgetChannel(channel); }
void WcpEngine::forgetLock(uint32_t lock) { analysis_->forgetLock(lock); }
void WcpEngine::forgetObject(uint32_t object) { analysis_->forgetObject(object); }
size_t WcpEngine::memoryBytes() const { return analysis_->memoryBytes(); }
uint64_t WcpEngine::fold(size_t targetBytes) { return analysis_->fold(targetBytes); }

}  // namespace predrace
