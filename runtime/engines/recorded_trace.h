// RecordedTrace: a whole trace in memory, with what engines that reorder it ask again and again.
//
// Events have dense ids, 0 first; event(i).index is the number to report. A set of events
// that is closed under thread order is a Cut: of each thread the number of its first events.
// All sets that these engines build are cuts, closed under the order that every
// reordering keeps as well, here called TRF: thread order, fork -> first event, last event ->
// join, snd -> rcv, the kept order of at and atomic accesses, and from each read's writer.
//
// Two sections of a lock conflict unless both are shared: only conflicting ones exclude each
// other. A section that its thread never ends has no release, End or not.
//
// Invariants:
// (1) within(i), the smallest TRF-closed cut with i, is the row trf_[i] and place(i) + 1 for
//     its own thread. A row is shared by neighbours until a new edge from another thread
//     adds to it. The same for happens-before.
// (2) held_[i] is what i's thread holds after i, as ids of acquires.
//
// Immutable once built; thread-compatible.
#ifndef PREDRACE_ENGINES_RECORDED_TRACE_H
#define PREDRACE_ENGINES_RECORDED_TRACE_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "runtime/engines/event.h"
#include "runtime/engines/lockset.h"
#include "runtime/engines/race.h"

namespace predrace {

using Cut = std::vector<uint32_t>;  // by thread: how many of its first events

// For each event a cut that its past fits in, most of them shared: see invariant (1).
class PastTable {
 public:
  explicit PastTable(uint32_t threads) : threads_(threads), current_(threads, 0), rows_(threads, 0) {}

  // While building: event `i` of `thread` comes next ...
  void begin(uint32_t thread) {
    thread_ = thread;
    fresh_ = false;
  }
  // ... after the first places[u] events of each u ...
  void follow(std::span<const uint32_t> places);
  // ... or after an event, which is the place-th of its thread and has the row.
  void follow(uint32_t thread, uint32_t place, uint32_t row);
  void end() { rowOf_.push_back(current_[thread_]); }

  uint32_t rowOf(uint32_t i) const { return rowOf_[i]; }
  // The own thread's component says nothing.
  std::span<const uint32_t> row(uint32_t row) const {
    return {rows_.data() + size_t{row} * threads_, threads_};
  }
  size_t memoryBytes() const { return (rows_.capacity() + rowOf_.capacity()) * sizeof(uint32_t); }

 private:
  uint32_t* renew();

  uint32_t threads_, thread_ = 0;
  bool fresh_ = false;             // this event has made its row already
  std::vector<uint32_t> current_;  // by thread: its row
  std::vector<uint32_t> rows_, rowOf_;
};

class RecordedTrace {
 public:
  explicit RecordedTrace(std::vector<Event> events);
  RecordedTrace(const RecordedTrace&) = delete;
  RecordedTrace& operator=(const RecordedTrace&) = delete;

  uint32_t size() const { return static_cast<uint32_t>(events_.size()); }
  uint32_t threads() const { return static_cast<uint32_t>(byThread_.size()); }
  uint32_t locks() const { return static_cast<uint32_t>(locks_.size()); }
  uint32_t variables() const { return variables_; }
  const Event& event(uint32_t i) const { return events_[i]; }
  std::span<const Event> events() const { return events_; }

  uint32_t place(uint32_t i) const { return place_[i]; }
  std::span<const uint32_t> eventsOf(uint32_t thread) const { return byThread_[thread]; }
  // Of an acquire or release: its partner. Of an access that reads: whose value. Else, or if none: kNone.
  uint32_t partner(uint32_t i) const { return link_[i]; }
  uint32_t writerOf(uint32_t i) const { return link_[i]; }
  // The at, or atomic access, that must come right before this one; kNone if there is none.
  uint32_t keptBefore(uint32_t i) const;
  // The fork of the thread, if the trace has it before the thread's first event; else kNone.
  uint32_t forkOf(uint32_t thread) const { return forkOf_[thread]; }

  // Cuts.
  Cut none() const { return Cut(threads(), 0); }
  bool contains(const Cut& c, uint32_t i) const { return place_[i] < c[events_[i].thread]; }
  // Adds i and its past; false if it was there.
  bool include(Cut& c, uint32_t i) const;
  // Adds what must come before i: the past of its direct predecessors, but not i, nor
  // whom it reads from.
  void includeBefore(Cut& c, uint32_t i) const;
  // Is i in the past of j, or j itself: does every cut with j have it?
  bool inPast(uint32_t i, uint32_t j) const {
    uint32_t thread = events_[i].thread;
    return thread == events_[j].thread ? place_[i] <= place_[j] : place_[i] < pastOf(j)[thread];
  }
  // Must i come before j in every reordering that has j next? REQUIRES: i < j, different threads.
  bool mustPrecede(uint32_t i, uint32_t j) const;
  // Of each other thread: how many of its first events are in i's past. Neighbours may share it.
  std::span<const uint32_t> pastOf(uint32_t i) const { return trf_.row(trf_.rowOf(i)); }
  bool happensBefore(uint32_t i, uint32_t j) const {  // REQUIRES: i < j
    const Event& e = events_[i];
    return e.thread == events_[j].thread || place_[i] < hb_.row(hb_.rowOf(j))[e.thread];
  }
  // Does any event of the thread happen before j?
  bool happensBeforeAny(uint32_t thread, uint32_t j) const {
    return thread == events_[j].thread || hb_.row(hb_.rowOf(j))[thread] > 0;
  }
  // The cut's events, in the order of the trace.
  std::vector<uint32_t> eventsIn(const Cut& c) const;

  // Sections.
  static bool isAcquire(Op op) { return op == Op::Acquire || op == Op::SharedAcquire; }
  static bool isRelease(Op op) { return op == Op::Release || op == Op::SharedRelease; }
  // The acquires whose sections the thread is in after its first `count` events.
  std::span<const uint32_t> openAfter(uint32_t thread, uint32_t count) const;
  // The locks held at i, as an id of locksets().
  uint32_t locksetAt(uint32_t i) const { return heldLocksets_[held_[i]]; }
  const Locksets& locksets() const { return locksets_; }
  // A lock's acquires by one thread, in order.
  struct Use {
    uint32_t thread;
    std::vector<uint32_t> exclusive, shared;
  };
  std::span<const Use> usesOf(uint32_t lock) const { return locks_[lock].uses; }
  // Is there in the cut an acquire by another thread, later than `acquire` and in conflict with it?
  bool takenLater(const Cut& c, uint32_t acquire) const;

  // A race of these two, with what is known from the trace alone.
  Race raceOf(uint32_t i, uint32_t j) const;

  size_t memoryBytes() const;

 private:
  struct Lock {
    std::vector<Use> uses;
    std::vector<uint32_t> useOf;     // by thread: its place in uses, kNone
    uint32_t lastExclusive = kNone;  // release; while building
    Cut sharedReleases;              // happens-before of all shared releases; while building
  };
  struct Building;

  void add(uint32_t i, Building& b);
  void acquire(uint32_t i, Building& b);
  void release(uint32_t i, Building& b);
  void keepAfter(uint32_t i, uint32_t& last);
  void hold(uint32_t i, Building& b);
  Use& useBy(uint32_t lock, uint32_t thread);

  std::vector<Event> events_;
  std::vector<std::vector<uint32_t>> byThread_;
  std::vector<uint32_t> place_, link_, held_, forkOf_;
  std::vector<std::pair<uint32_t, uint32_t>> kept_;  // (event, its predecessor in kept order), by event
  PastTable trf_, hb_;
  std::vector<uint32_t> heldAcquires_, heldBegin_, heldLocksets_;  // rows of held acquires
  std::vector<Lock> locks_;
  Locksets locksets_;
  uint32_t variables_ = 0;
};

}  // namespace predrace

#endif  // PREDRACE_ENGINES_RECORDED_TRACE_H
