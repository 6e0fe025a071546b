// GoldilocksEngine: happens-before races without clocks, by locksets that grow.
//
// After Elmas, Qadeer and Tasiran, MSR-TR-2005-118: sections 4 (the rules), 6 (reads and
// writes apart) and 7 (the lockset table). Each access that a later one may race with has a
// lockset (lockset_table.h): the threads whose next event comes after it, and what such
// threads have handed on. An access of thread t races with an earlier conflicting one exactly
// if t is not in that one's lockset.
//
// The rules, `a -> b` meaning that every lockset with a gets b:
//   rel(l)        thread -> l           acq(l)    l -> thread, readers of l -> thread
//   rrel(l)       thread -> readers of l   racq(l)   l -> thread
//   fork(u)       thread -> fork of u   u's first event   fork of u -> u
//   join(u)       u -> thread           end       as rel, rrel of what is still held
//   snd(c)        thread -> c           rcv(c)    c -> thread
// Atomic accesses and At hand nothing on. Where the paper keeps the locks held in the lockset
// and adds at acquires, we add at releases, as its authors did later: fewer elements.
//
// Which accesses of a variable are kept: all but those that have a later access ordered after
// them which races with as much: whoever races with the dropped one races with that one too.
// The paper's LSW and LSR, but exact for every racy event and not only the first.
//
// Invariants:
// (1) A lane (a thread's element, lanes.h) passes on to a later thread only if the former
//     tenant's element is covered by that thread's first event.
// (2) No access is compared at a synchronisation event, nor its variable touched.
// (3) Order is only ever added beyond happens-before: by fold(); for ended threads that nobody
//     waited for, beyond kIdle of them; and for a thread joined later than kEnded other
//     threads whose lanes have passed on as well: it counts as all that its lane did.
//
// Not thread-safe.
#ifndef PREDRACE_ENGINES_GOLDILOCKS_H
#define PREDRACE_ENGINES_GOLDILOCKS_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "runtime/engines/engine.h"

namespace predrace {

class GoldilocksEngine final : public Engine {
 public:
  explicit GoldilocksEngine(RaceSink sink);
  ~GoldilocksEngine() override;

  void on(const Event& e) override;
  void run(std::span<const Event> events) override;
  void finish() override {}
  void splitVariable(uint32_t from, uint32_t to) override;
  void forgetVariable(uint32_t variable) override;
  void forgetChannel(uint32_t channel) override;
  void forgetLock(uint32_t lock) override;
  void forgetObject(uint32_t) override {}
  size_t memoryBytes() const override;
  uint64_t fold(size_t targetBytes) override;

  // Columns of the lockset table in use.
  size_t locksets() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace predrace

#endif  // PREDRACE_ENGINES_GOLDILOCKS_H
