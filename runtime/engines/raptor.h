// RaptorEngine: causally-precedes (CP) races by locksets, as published.
//
// Roemer and Bond, "An Online Dynamic Analysis for Sound Predictive Data Race Detection",
// OSU-CISRC-11/16-TR05: Algorithms 1-9, to be read beside them. It is the reference for CpEngine,
// which computes the same order with clocks, and slow: each synchronisation visits every owner of
// locksets. The files:
//   raptor_locksets.h   PO, HB, CP and CCP of an owner, and what one event does to them
//   raptor_locks.h      acquires and releases: Algorithms 3, 4, 5, 7
//   raptor_accesses.h   reads, writes, races: Algorithms 1, 2, 6, 8, 9
//   raptor_starred.h    rule (a)
// Each says where it departs from the paper, and why.
//
// Finds which variables race, and the first racy access of each, with at least one pair for it:
// those of CpEngine. As in the paper, of what follows a variable's first race it reports a part;
// every pair it reports is a CP-race.
//
// What the paper does not have:
// - Fork, join, send and receive are hard edges: all that is happens-before their source is
//   causally-precedes their target. A channel is an element of HB that a receive turns into T in
//   HB and CP; a forked thread is an element from its fork on.
// - Shared sections are sections of several locks (raptor_locks.h).
// - Atomic accesses race with plain ones only, and conflict among themselves in rule (a). At is a
//   conflict for rule (a) and no access.
//
// Invariants:
// (1) Figure 3 of the paper after every event.
// (2) A joined thread is no element any more; who joins it again is ordered after all threads that
//     were ever joined. That, and fold(), only add order.
//
// Memory is bounded by the accesses that a later one may race with, and by the threads that live;
// it does not grow with the events. Not thread-safe.
#ifndef PREDRACE_ENGINES_RAPTOR_H
#define PREDRACE_ENGINES_RAPTOR_H

#include <cstddef>
#include <cstdint>
#include <memory>

#include "runtime/engines/engine.h"

namespace predrace {

class RaptorEngine final : public Engine {
 public:
  explicit RaptorEngine(RaceSink sink);
  ~RaptorEngine() override;

  void on(const Event& e) override;
  // Releases what is still held (footnote 5 of the paper), which decides everything.
  void finish() override;
  void splitVariable(uint32_t from, uint32_t to) override;
  void forgetVariable(uint32_t variable) override;
  void forgetChannel(uint32_t channel) override;
  void forgetLock(uint32_t lock) override;
  void forgetObject(uint32_t object) override;
  // Visits every owner.
  size_t memoryBytes() const override;
  // All or nothing: all so far counts as ordered before all later.
  uint64_t fold(size_t targetBytes) override;

  // Lockset owners there are.
  size_t owners() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace predrace

#endif  // PREDRACE_ENGINES_RAPTOR_H
