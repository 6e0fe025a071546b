// WcpEngine: exact online weak-causally-precedes (WCP) analysis.
//
// Kini, Mathur, Viswanathan, PLDI 2017. Reports every access that some earlier conflicting
// access is not WCP-before, at once, with the latest such access of each other thread and
// kind (of several without a synchronisation in between: one of them). A pair that
// happens-before does not order either is marked `unordered`.
//
// Exact until fold() or a limit takes effect (WcpOptions::longest; 512 ended threads that
// nobody waited for, or that some waited for and others may still); from then on it may miss
// races, never invents one.
//
// Not thread-safe. How it works: wcp_analysis.h.
#ifndef PREDRACE_ENGINES_WCP_H
#define PREDRACE_ENGINES_WCP_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "runtime/engines/engine.h"
#include "runtime/engines/race.h"

namespace predrace {

namespace wcp {
class Analysis;
}

struct WcpOptions {
  // So many sections are kept before the engine looks which of them can still matter.
  // Changes no verdict.
  uint32_t sections = 4096;
  // Sections, and the synchronisations of a thread, are numbered with 32 bits. Beyond this
  // many they start anew, what was before counting as ordered before what comes.
  uint32_t longest = 0xf0000000;
};

class WcpEngine final : public Engine {
 public:
  WcpEngine(WcpOptions options, RaceSink sink);
  ~WcpEngine() override;
  WcpEngine(const WcpEngine&) = delete;
  WcpEngine& operator=(const WcpEngine&) = delete;

  void on(const Event& e) override;
  void run(std::span<const Event> events) override;
  void finish() override {}
  void splitVariable(uint32_t from, uint32_t to) override;
  void forgetVariable(uint32_t variable) override;
  void forgetChannel(uint32_t channel) override;
  void forgetLock(uint32_t lock) override;
  void forgetObject(uint32_t object) override;
  size_t memoryBytes() const override;
  uint64_t fold(size_t targetBytes) override;

 private:
  std::unique_ptr<wcp::Analysis> analysis_;
};

}  // namespace predrace

#endif  // PREDRACE_ENGINES_WCP_H
