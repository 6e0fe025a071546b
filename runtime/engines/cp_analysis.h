// Analysis: exact CP online, with vector clocks and lazily solved integers.
//
// m^k is the k-th critical section of lock m, H the HB clock. A thread's epoch `own` is
// its component of the clocks; it grows after every release, fork and send.
// F1. {j < k : acq(m)^j CP rel(m)^k} is a prefix 1..J(m,k). So rules (a) and (b) of CP are
//     the single edge rel(m)^J -> acq(m)^k, and J grows with k.
// F2. What is CP-before event e: hard order (fork/join, snd/rcv), and for each lock n
//     H(rel(n)^{J(n,L)}), L the last section of n whose acquire is HB-before e.
// F3. J(m,k) is the least solution of max(a(m,k), max{j < k : acq(m)^j is CP-before
//     rel(m)^k}), a from rule (a).
// So a thread has H, C (the part of F2 that is known) and U (the sections whose J is not
// known yet and may add to it). An access is checked against C; if U may still save it,
// the check waits (cp_solver.h, cp_reports.h).
//
// Threads are lanes here (lanes.h); locks taken shared are several locks (cp_locks.h).
//
// Invariants:
// (1) C <= H for every thread, lock and check.
// (2) Every unknown section in a U or in `needs` that is not final is open, or in a group.
// (3) A section is `alone` only while its thread holds no other lock; no U has it then.
// (4) Whatever goes into a later thread's C by HB goes in whole: C and U of a lock's
//     last release, H over hard order.
//
// Not thread-safe.
#ifndef PREDRACE_ENGINES_CP_ANALYSIS_H
#define PREDRACE_ENGINES_CP_ANALYSIS_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "runtime/engines/cp.h"
#include "runtime/engines/cp_locks.h"
#include "runtime/engines/cp_reports.h"
#include "runtime/engines/cp_solver.h"
#include "runtime/engines/cp_unknown.h"
#include "runtime/engines/cp_variables.h"
#include "runtime/engines/lanes.h"
#include "runtime/engines/lockset.h"

namespace predrace::cp {

class Analysis {
 public:
  Analysis(CpOptions options, RaceSink sink);

  void on(const Event& e);
  void finish();
  // Also for other events than accesses: asking would cost more than a useless prefetch.
  void expect(const Event& e) { variables_.expect(e.target); }
  // The same a little later, when what expect() fetched is here.
  void expectMore(const Event& e) { variables_.expectMore(e.target); }

  void splitVariable(uint32_t from, uint32_t to);
  void forgetVariable(uint32_t variable);
  void forgetChannel(uint32_t channel);
  void forgetLock(uint32_t lock);
  void forgetObject(uint32_t object) { objects_.clear(object); }

  size_t memoryBytes() const;
  uint64_t fold(size_t targetBytes);
  bool wellNested() const { return wellNested_; }
  const Locksets& locksets() const { return locksets_; }
  CpStats stats() const;

 private:
  // A lock held; an exclusive section of a lock with readers holds several.
  struct Hold {
    uint32_t lock, parent;
    uint32_t k;
    uint32_t section;  // which of the thread's sections it belongs to: Taken::id
    uint32_t J;        // while `alone`: at least this, and so says the lock
    bool alone;        // J is not known, but there is no Unknown of it: see publish()
    UnknownRef unknown;
  };
  // A section of the trace.
  struct Taken {
    uint32_t id;
    uint32_t number;
    bool shared;
    uint32_t locksetBefore;
  };
  struct Thread {
    uint32_t lane = 0;
    uint32_t number = 0;
    Epoch own = 0;
    uint32_t segment = 0;  // grows at every own synchronisation that changes `own` or what is held
    Clock H, C;            // H: own lane apart
    UnknownSet U;
    uint64_t settled = 0;  // version of the solver at the last settle; 0: C or U changed since
    uint32_t lockset = Locksets::kEmpty;
    uint32_t nextSection = 0;
    absl::InlinedVector<Hold, 4> held;  // readers of a lock before the lock itself
    absl::InlinedVector<Taken, 4> taken;
  };
  // What the sends of a channel pass on.
  struct Channel {
    Moment sent;
    bool several = false;  // more than one sender: all of them in the clock
  };

  Thread& threadOf(uint32_t number);
  Thread& begin(uint32_t number);
  Moment now(const Thread& t) const { return {t.H, t.lane, t.own}; }
  void tick(Thread& t);
  template <class End>  // of a section, or the section
  void raiseC(Thread& t, const End& end);
  void hardOrder(Thread& t, const Moment& m);
  void settle(Thread& t) {
    if (!t.U.empty() && t.settled != solver_.version()) [[unlikely]]
      settleNow(t);
  }
  void settleNow(Thread& t);
  Thread& renew(Thread& t);

  void access(Thread& t, const Event& e);
  void repeat(Variable& v, Thread& t, const Event& e, Kind kind);
  void conflictsInSections(Thread& t, Rules& rules, Kind kind);
  bool dead(const Rule& r);
  [[gnu::noinline]] void suspect(Thread& t, Variable& v, const Event& e, Kind kind);
  void decideReady();
  void limitWaiting();
  void tighten(bool give);
  static bool covered(const Check& c, const Access& a);

  void acquire(Thread& t, const Event& e, bool shared);
  void take(Thread& t, uint32_t lock, uint32_t section, const Event& e);
  void release(Thread& t, uint32_t number, bool shared, uint32_t site);
  void raise(Thread& t, Hold& h, uint32_t j);
  void publish(Thread& t);
  void closeKnown(Thread& t, uint32_t site);
  void close(Thread& t, uint32_t section, uint32_t site);
  uint32_t renumber(Thread& t, uint32_t number, uint32_t main);
  void limitNumbers();

  void fork(Thread& t, uint32_t child);
  void join(Thread& t, uint32_t child);
  void end(Thread& t);
  void send(Thread& t, uint32_t channel);
  void receive(Thread& t, uint32_t channel);
  void limitIdle();

  void order(uint32_t lock, uint32_t k);
  uint64_t foldSections();
  uint64_t foldVariables(size_t targetBytes);

  CpOptions options_;
  BlockPool pool_;
  Lanes<Epoch> lanes_;
  std::vector<Thread> threads_;    // by lane
  std::vector<HandOverLog> logs_;  // by lane
  std::vector<Moment> forked_;     // by thread, until it starts
  Clock passedOn_;                 // at least the ends of all threads whose lanes have passed on
  Chunked<Channel, 8> channels_;
  Locksets locksets_;
  Locks locks_;
  Solver solver_;
  Variables variables_, objects_;
  Reports reports_;
  bool wellNested_ = true;
  size_t waitingLimit_;
  std::vector<Check*> decided_;  // scratch
  CpStats stats_;
};

}  // namespace predrace::cp

#endif  // PREDRACE_ENGINES_CP_ANALYSIS_H
