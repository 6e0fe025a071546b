// ClosedOrder: the order that every reordering of a set of events must keep, grown to be trace-closed
// (M2, section 3).
//
// Rules, for events of the set:
// - observation: a write v that comes before a read r of the same variable comes before the
//   write w that r reads; if it comes after w it comes after r. A read of the initial value comes
//   before all writes.
// - lock: of two conflicting sections, if one begins before the other ends it ends before
//   the other begins.
// Each ordering that is new is looked at once, from its upper end: the last writes and acquires
// above it, against the first accesses and releases below it. Earlier writes of the same
// thread follow by the rules between that write and its readers.
//
// The set is the part of a cut from some event of the trace on: see Window. Of what is before the
// window only this is known: whatever is in an event's past, in RecordedTrace's sense, comes before
// it. An order in the window is therefore at most what it would be in the whole cut; a rule that puts
// something before an event outside it is told as State::Outside.
//
// Not thread-safe.
#ifndef PREDRACE_ENGINES_M2_CLOSURE_H
#define PREDRACE_ENGINES_M2_CLOSURE_H

#include <cstdint>
#include <utility>
#include <vector>

#include "runtime/engines/m2_maps.h"
#include "runtime/engines/m2_order.h"
#include "runtime/engines/recorded_trace.h"

namespace predrace::m2 {

// The events of a cut from event `start` on, as chains: one for each thread that has any.
class Window {
 public:
  Window(const RecordedTrace& trace, const Maps& maps) : trace(trace), maps(maps) {}

  // REQUIRES: every section that is open in the cut and began before `start` has no conflicting
  // one in the cut after it; the cut outlives the window.
  void set(const Cut& cut, uint32_t start);

  const Cut& cut() const { return *cut_; }
  uint32_t start() const { return start_; }
  // The cut of what is before the window.
  const Cut& before() const { return before_; }
  // REQUIRES: i != kNone.
  bool inCut(uint32_t i) const { return trace.contains(*cut_, i); }
  bool has(uint32_t i) const { return i >= start_ && inCut(i); }

  uint32_t chains() const { return static_cast<uint32_t>(threads_.size()); }
  uint32_t threadOf(uint32_t chain) const { return threads_[chain]; }
  uint32_t chainOf(uint32_t thread) const { return chainOf_[thread]; }  // kNone: it has none
  uint32_t length(uint32_t chain) const { return (*cut_)[threads_[chain]] - before_[threads_[chain]]; }
  Node node(uint32_t i) const {
    uint32_t thread = trace.event(i).thread;
    return {chainOf_[thread], trace.place(i) - before_[thread]};
  }
  uint32_t id(Node n) const {
    uint32_t thread = threads_[n.chain];
    return trace.eventsOf(thread)[before_[thread] + n.place];
  }

  const RecordedTrace& trace;
  const Maps& maps;

 private:
  const Cut* cut_ = nullptr;
  uint32_t start_ = 0;
  Cut before_;
  std::vector<uint32_t> threads_, chainOf_;
};

class ClosedOrder {
 public:
  // Cyclic: there is no such order. Outside: there is none that leaves what is before the window there.
  enum class State : uint8_t { Closed, Cyclic, Outside };

  // What every reordering keeps that ends with the sections open that are open in the cut. REQUIRES:
  // the window outlives it, or the next begin().
  State begin(const Window& window);
  // Everything before the window comes before everything in it.
  State putOutsideFirst();
  State insert(uint32_t a, uint32_t b);

  // The events are given by id. REQUIRES: both are in the window.
  bool before(uint32_t a, uint32_t b) const { return order_.before(window_->node(a), window_->node(b)); }
  const ChainOrder& order() const { return order_; }

 private:
  using Edge = std::pair<uint32_t, uint32_t>;

  // To be inserted: a comes before b. Neither is kNone; both are in the cut.
  void want(uint32_t a, uint32_t b);
  void wantPast(Node n, uint32_t i);
  void wantOfRead(uint32_t read);
  void wantOpen();
  void wantBoundary(bool assumed);
  void wantReadersBefore(uint32_t writer, uint32_t write);
  void observe(const Added& added, uint32_t write);
  void exclude(const Added& added, uint32_t acquire);
  State close();

  const Window* window_ = nullptr;
  ChainOrder order_;
  std::vector<Edge> wanted_;
  std::vector<Added> added_;
  std::vector<uint32_t> outsideWriters_;  // whose values are read in the window
  bool outside_ = false;
};

}  // namespace predrace::m2

#endif  // PREDRACE_ENGINES_M2_CLOSURE_H
