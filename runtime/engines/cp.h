// CpEngine: exact online causally-precedes (CP) analysis, happens-before (HB) included.
//
// Reports every access that some earlier conflicting access is not CP-before, at
// least once, with the latest such access of each other thread. A pair that HB
// does not order either is marked `unordered`.
//
// Exact until fold() or a limit of CpOptions takes effect; from then on it may
// miss races, never invents one. A race whose verdict depends on a critical
// section that is still open is held back until that section's part is known, at
// the latest until finish(); races of one variable come in the order of their
// second accesses, except that an unordered one is never held back.
//
// Not thread-safe. How it works: cp_analysis.h.
#ifndef PREDRACE_ENGINES_CP_H
#define PREDRACE_ENGINES_CP_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "runtime/engines/engine.h"
#include "runtime/engines/lockset.h"
#include "runtime/engines/race.h"

namespace predrace {

namespace cp {
class Analysis;
}

struct CpOptions {
  bool hand_over = true;  // fill Race::handOver
  // Ended threads that nobody waited for keep a place in every clock. Beyond this
  // many the oldest count as ordered before everything later.
  uint32_t idle_threads = 512;
  // So many closed sections and checks may wait for open sections before the engine
  // looks whether those can still matter. Changes no verdict.
  uint32_t waiting = 4096;
  // A thread's epochs and a lock's sections are numbered with 32 bits. Beyond this many
  // they start anew, what was before counting as ordered before what comes.
  uint32_t longest = 0xf0000000;
};

struct CpStats {
  uint64_t events = 0, accesses = 0, fast = 0;  // fast: accesses that repeated the one before
  uint64_t sections = 0;                        // critical sections begun
  uint64_t unknown = 0;                         // of them, not decided at their acquire
  uint64_t deferred = 0;                        // accesses whose verdict had to wait
  uint64_t races = 0, unordered = 0;
  uint64_t folded = 0;  // sections, accesses and threads forgotten by adding order; 0: all was exact
  uint64_t openNow = 0, unknownNow = 0, deferredNow = 0, recordsNow = 0, lanes = 0;
};

class CpEngine final : public Engine {
 public:
  CpEngine(CpOptions options, RaceSink sink);
  ~CpEngine() override;
  CpEngine(const CpEngine&) = delete;
  CpEngine& operator=(const CpEngine&) = delete;

  void on(const Event& e) override;
  void run(std::span<const Event> events) override;
  void finish() override;
  void expect(const Event& e) override;
  void splitVariable(uint32_t from, uint32_t to) override;
  void forgetVariable(uint32_t variable) override;
  void forgetChannel(uint32_t channel) override;
  void forgetLock(uint32_t lock) override;
  void forgetObject(uint32_t object) override;
  size_t memoryBytes() const override;
  uint64_t fold(size_t targetBytes) override;

  // Every release so far ended the latest section of its thread. CP promises a
  // real race only then.
  bool wellNested() const;
  // What RacingAccess::lockset refers to. Ids stay valid as long as the engine.
  const Locksets& locksets() const;
  CpStats stats() const;

 private:
  std::unique_ptr<cp::Analysis> analysis_;
};

}  // namespace predrace

#endif  // PREDRACE_ENGINES_CP_H
