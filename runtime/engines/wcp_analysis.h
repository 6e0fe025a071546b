// Analysis: exact WCP online, with two vector clocks per thread.
//
// m^k is the k-th critical section of lock m, H the HB clock of an event, P its WCP clock:
// what is WCP-before it. A thread's epoch `own` is its component of the clocks; it grows
// after every release, fork and send.
// - Hard order (fork/join, snd/rcv) from a to b: H(a) goes into H(b) and P(b).
// - HB from rel(m)^k to a later acquire: P goes along with H.
// - Rule (a): into P of an access in m^k goes H(rel(m)^i), m^i the last section of another
//   lane with a conflicting access. Earlier ones are HB-before that one.
// - Rule (b): {j < k : acq(m)^j in P(rel(m)^k)} is a prefix 1..J, as HB orders sections and
//   HB;WCP is WCP. So it is the single edge rel(m)^J -> rel(m)^k. It makes no acquire after
//   acq(m)^J known, so one search is enough; and J grows with k.
// Unlike H, P knows of the thread's own events only what comes back to it over such edges.
//
// Threads are lanes here (lanes.h); locks taken shared are several lists (wcp_locks.h). Two
// threads that had one lane after the other, and both took a lock shared, share their list:
// the second is then in the first one's place where an exclusive release asks one reader
// after the other, which in corner cases adds order.
//
// Invariants:
// (1) P <= H for every thread, lock and send, own lanes apart.
// (2) If the latest release of a list is in H of a thread, its P is in P of the thread,
//     unless `raised`.
//
// Not thread-safe.
#ifndef PREDRACE_ENGINES_WCP_ANALYSIS_H
#define PREDRACE_ENGINES_WCP_ANALYSIS_H

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "runtime/engines/chunked.h"
#include "runtime/engines/cp_variables.h"
#include "runtime/engines/lanes.h"
#include "runtime/engines/wcp.h"
#include "runtime/engines/wcp_locks.h"

namespace predrace::wcp {

// What is kept of variables is what CP keeps, with P in the place of its clock.
using cp::Access;
using cp::Kind;
using cp::Rule;
using cp::Rules;
using cp::Variable;
using cp::Variables;

class Analysis {
 public:
  Analysis(WcpOptions options, RaceSink sink);

  void on(const Event& e);
  // Both also for other events than accesses: asking would cost more than a useless prefetch.
  void expect(const Event& e) { variables_.expect(e.target); }
  void expectMore(const Event& e) { variables_.expectMore(e.target); }

  void splitVariable(uint32_t from, uint32_t to) { variables_.copy(from, to); }
  void forgetVariable(uint32_t variable) { variables_.clear(variable); }
  void forgetChannel(uint32_t channel);
  void forgetLock(uint32_t lock);
  void forgetObject(uint32_t object) { objects_.clear(object); }

  size_t memoryBytes() const;
  uint64_t fold(size_t targetBytes);

 private:
  // A section of the trace that is open.
  struct Hold {
    uint32_t number;
    uint32_t main, list;  // list: where it will be; of a shared one not `main`
    uint32_t section;     // its number
    uint32_t given;       // H(rel) of the exclusive sections up to this is in P
    Epoch acquired;
    bool shared;
    bool whole;  // its accesses are not all known any more: it conflicts with every later one
  };
  struct Thread {
    uint32_t lane = 0;
    uint32_t number = 0;
    Epoch own = 0;
    uint32_t segment = 0;  // grows at every own synchronisation that changes `own` or what is held
    Clock H, P;            // H: own lane apart
    absl::InlinedVector<Hold, 4> held;
  };
  // What the sends of a channel pass on.
  struct Channel {
    Moment sent;
    bool several = false;  // more than one sender: all of them in the clock
  };

  Thread& threadOf(uint32_t number);
  Thread& begin(uint32_t number);
  Thread& renew(Thread& t);
  Moment now(const Thread& t) const { return {t.H, t.lane, t.own}; }
  void tick(Thread& t);
  void hardOrder(Thread& t, const Moment& m);

  void access(Thread& t, const Event& e);
  void conflictsInSections(Thread& t, Rules& rules, Kind kind);
  void conflictsOfReaders(Thread& t, const Lock& main, Rules& rules, Kind kind);
  void give(Thread& t, uint32_t list, uint32_t section);
  bool dead(const Rule& r) { return r.last <= locks_[r.lock()].ordered; }
  bool check(Thread& t, Variable& v, const Event& e, Kind kind);
  [[gnu::noinline]] void report(const Thread& t, Variable& v, const Event& e, Kind kind);

  void acquire(Thread& t, uint32_t number, bool shared);
  void learn(Thread& t, const Lock& l);
  void release(Thread& t, uint32_t number, bool shared);
  void close(Thread& t, const Hold& h);
  const Section* ruleB(Thread& t, Lock& l);
  void ruleBForAll(Thread& t, Lock& l);

  void fork(Thread& t, uint32_t child);
  void join(Thread& t, uint32_t child);
  void end(Thread& t);
  void leaveLane(const Thread& t);
  void send(Thread& t, uint32_t channel);
  void receive(Thread& t, uint32_t channel);
  void limitIdle();

  // wcp_memory.cpp
  [[gnu::noinline]] void sweep();
  template <class F>
  void forEachRoot(F f);
  [[gnu::noinline]] void restart();
  void order(uint32_t list, uint32_t section);
  uint64_t foldSections();
  uint64_t foldVariables(size_t targetBytes);

  WcpOptions options_;
  RaceSink sink_;
  BlockPool pool_;
  Lanes<Epoch> lanes_;
  std::vector<Thread> threads_;  // by lane
  std::vector<Moment> forked_;   // by thread, until it starts
  // The last moments of threads whose lanes have passed on, by thread; of those that were too
  // many, together.
  absl::flat_hash_map<uint32_t, Moment> ended_;
  Clock endedLongAgo_;
  Chunked<Channel, 8> channels_;
  Locks locks_;
  uint32_t latest_ = 0;  // greatest number of a section
  size_t sweepAt_;       // at so many sections
  Variables variables_, objects_;
};

}  // namespace predrace::wcp

#endif  // PREDRACE_ENGINES_WCP_ANALYSIS_H
