// KeptAccesses: per variable, the accesses that a later one may race with, and the check.
// For engines whose order is one clock (hb, shb) and who want every racy event.
//
// Kept is each access until a later one covers it: is ordered after it and conflicts with at
// least as much. Whoever is unordered with the covered one is unordered with the other too, so
// every racy event finds a partner, and a variable under one lock keeps one or two accesses.
//
// Two places, half a cache line, hold the usual case: a plain write, a plain read ordered after
// it, or both. Anything more (concurrent reads, a race, atomics) goes to a list aside, until
// an access covers all of it.
//
// Invariants:
// (1) Unless several(): write is ordered before read, and nothing else is kept.
// (2) While several(): both places have no tick (but the index of the latest access, for fold);
//     the list has at most one access of each lane and kind.
//
// Not thread-safe.
#ifndef PREDRACE_ENGINES_KEPT_ACCESSES_H
#define PREDRACE_ENGINES_KEPT_ACCESSES_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/engines/chunked.h"
#include "runtime/engines/epoch_access.h"
#include "runtime/engines/event.h"
#include "runtime/engines/fold_chunks.h"
#include "runtime/engines/hb_clocks.h"
#include "runtime/engines/race.h"

namespace predrace {

class KeptAccesses {
 public:
  struct Variable {
    EpochAccess write;  // flag: several()
    EpochAccess read;   // flag: a race was reported

    bool several() const { return write.flag; }
  };
  static_assert(sizeof(Variable) == 32);

  // Both outlive this.
  KeptAccesses(const HbClocks& clocks, const RaceSink& sink) : clocks_(clocks), sink_(sink) {}

  Variable& operator[](uint32_t x) { return variables_[x]; }
  void prefetch(uint32_t x) { variables_.prefetch(x); }

  // The usual case: e is plain and ordered after the two places. True: it is kept, done.
  // Reads and writes alike, without a branch: which of them comes next is hard to predict.
  bool usual(Variable& v, uint32_t lane, const Event& e) {
    bool write = before(v.write, lane), read = before(v.read, lane);
    if (v.several() || isAtomic(e.op) || !(write & read)) return false;
    uint32_t own = clocks_.own(lane);
    bool isRead = e.op == Op::Read;
    (isRead ? v.read : v.write).set(e, lane, own);
    v.read.tick = isRead ? own : 0;
    return true;
  }

  // All cases: reports what is kept and races with e ...
  void check(Variable& v, uint32_t lane, const Event& e);
  // ... and keeps e, instead of what it covers. The lane's clock may have advanced in between.
  void keep(Variable& v, uint32_t lane, const Event& e);
  // The last write in the trace, which is always kept. Null: there is none.
  const EpochAccess* lastWrite(const Variable& v, uint32_t x);

  void split(uint32_t from, uint32_t to);
  void forget(uint32_t x);
  size_t memoryBytes() const { return variables_.memoryBytes() + lists_.memoryBytes() + listBytes_; }
  // Forgets the variables that were not used for longest, kChunk at a time, until enough() or none
  // is left; how many accesses that was. Calls dropped(c) when [c * kChunk, (c + 1) * kChunk) are.
  static constexpr uint32_t kChunk = 512;
  template <class Enough, class Dropped>
  uint64_t fold(Enough enough, Dropped dropped) {
    return foldChunks(
        variables_, [](const Variable& v) { return std::max<uint64_t>(v.write.index, v.read.index); },
        [&](size_t c) {
          dropped(c);
          return dropChunk(c);
        },
        enough);
  }

 private:
  using List = std::vector<EpochAccess>;

  bool before(const EpochAccess& a, uint32_t lane) const {
    return clocks_.ordered(static_cast<uint32_t>(a.lane), a.tick, lane);
  }
  void checkOne(const EpochAccess& a, Variable& v, uint32_t lane, const Event& e);
  List& listOf(Variable& v, uint32_t x);
  void settle(Variable& v, List& list, uint32_t lane);
  uint64_t dropChunk(size_t c);

  const HbClocks& clocks_;
  const RaceSink& sink_;
  Chunked<Variable, 9> variables_;
  Chunked<List, 5> lists_;
  size_t listBytes_ = 0;
  static_assert(decltype(variables_)::kChunk == kChunk);
};

}  // namespace predrace

#endif  // PREDRACE_ENGINES_KEPT_ACCESSES_H
