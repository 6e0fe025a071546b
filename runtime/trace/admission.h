// Admission: which events a run can contain, for the readers of every format.
//
// It follows who holds which lock and which threads live, refuses what no run can contain
// (an engine asked about it would give no useful answer), and flattens re-entrant sections:
// inner acquires and releases become Op::Inner. test/oracle/oracle.py refuses the same.
//
// Not thread-safe.
#ifndef PREDRACE_TRACE_ADMISSION_H
#define PREDRACE_TRACE_ADMISSION_H

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "runtime/engines/event.h"
#include "runtime/trace/names.h"
#include "runtime/trace/printable.h"

namespace predrace {

// Masks that make one rule of the common steps: a lock that is (expects ? mine : free) becomes
// (leaves ? mine : free). Steps on anything else are steps of a lock that is always free.
struct FastStep {
  uint32_t lock = 0, expects = 0, leaves = 0;
};

class Admission {
 public:
  explicit Admission(const TraceNames& names) : names_(names) {}

  // Operations that admitFast() may be asked about.
  static constexpr bool isFast(Op op) {
    return isAccess(op) || op == Op::Acquire || op == Op::Release || op == Op::Send || op == Op::Receive ||
           op == Op::At;
  }
  static constexpr FastStep stepOf(Op op) {
    if (op == Op::Acquire) return {~0u, 0, ~0u};
    if (op == Op::Release) return {~0u, ~0u, 0};
    return {};
  }

  // Make room for the names there are now. Call after new ones.
  void grow();
  bool runs(uint32_t thread) const { return lives_[thread] == Life::Running; }
  // A step of a thread that runs, on a lock that is free or held once, without a branch on what it
  // is. False: nothing was done, ask admit().
  bool admitFast(const Event& e, FastStep step) {
    uint32_t& held = held_[(e.target + 1) & step.lock];
    uint32_t mine = e.thread + 1;
    if (!runs(e.thread) | (held != (mine & step.expects))) return false;
    held = mine & step.leaves;
    return true;
  }
  // Empty if the event can happen now (its op may have become Inner), else why not.
  std::string admit(Event* e);

 private:
  enum class Life : uint8_t { New, Forked, Running, Ended, Joined };
  static constexpr uint32_t kFree = ~0u;
  static constexpr uint32_t kSeeLock = ~0u;
  struct Lock {
    uint32_t owner = kFree;  // exclusive
    uint32_t depth = 0;      // of the owner's section
    uint32_t readers = 0;    // threads in a shared section
  };

  Lock lockOf(uint32_t number) const;
  void setLock(uint32_t number, Lock lock);
  std::string admitAcquire(Event* e);
  std::string admitRelease(Event* e);
  std::string aReaderOf(uint32_t lock) const;
  std::string thread(uint32_t t) const { return "thread " + name(t); }
  std::string lock(uint32_t l) const { return "lock " + printable(names_.locks.nameOf(l)); }
  std::string name(uint32_t t) const { return printable(names_.threads.nameOf(t)); }
  static uint64_t key(const Event& e) { return uint64_t{e.target} << 32 | e.thread; }

  const TraceNames& names_;
  std::vector<Life> lives_;  // by thread
  // By lock, plus one: 0 free, t+1 held once by t, or kSeeLock. The first is the always free one.
  std::vector<uint32_t> held_ = {0};
  std::vector<Lock> locks_;
  absl::flat_hash_map<uint64_t, uint32_t> depths_;  // of shared sections, by lock and thread
};

}  // namespace predrace

#endif  // PREDRACE_TRACE_ADMISSION_H
