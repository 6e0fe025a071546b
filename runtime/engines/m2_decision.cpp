#include "runtime/engines/m2_decision.h"

#include <algorithm>

namespace predrace::m2 {
namespace {

using State = ClosedOrder::State;

bool exclude(const Event& a, const Event& b) {
  return a.target == b.target && a.thread != b.thread && (a.op == Op::Acquire || b.op == Op::Acquire);
}

}  // namespace

Decision::Verdict Decision::decide(uint32_t i, uint32_t j) {
  cut_.assign(trace_.threads(), 0);
  reordered_ = false;
  trace_.includeBefore(cut_, i);
  trace_.includeBefore(cut_, j);
  auto reached = [&] { return trace_.contains(cut_, i) || trace_.contains(cut_, j); };
  if (reached()) return {false, true};
  bool certain = !addReleases(i, j);
  if (reached() || openSectionsExclude()) return {false, certain};
  uint32_t first = firstLate();
  if (first == kNone) return {true, true};
  if (openSectionMustEnd()) return {false, certain};

  reordered_ = true;
  constexpr uint32_t kShare = 4;  // of what is reordered, to look at before it
  uint32_t last = 0;
  for (uint32_t t = 0; t < trace_.threads(); ++t)
    if (cut_[t] > 0) last = std::max(last, trace_.eventsOf(t)[cut_[t] - 1]);
  for (uint32_t margin = margin_ + (last - first) / kShare;; margin = 4 * margin + 1) {
    uint32_t start = first > margin ? first - margin : 0;
    Outcome outcome = decideIn(start, i, j);
    if (outcome == Outcome::Unclear) continue;
    return {outcome == Outcome::Race, certain && outcome != Outcome::NotFound};
  }
}

// Ends the sections of the other threads. Has that added anything?
bool Decision::addReleases(uint32_t i, uint32_t j) {
  uint32_t one = trace_.event(i).thread, other = trace_.event(j).thread;
  bool added = false;
  for (bool again = true; again;) {
    again = false;
    for (uint32_t t = 0; t < trace_.threads(); ++t) {
      if (t == one || t == other) continue;
      for (uint32_t acquire : trace_.openAfter(t, cut_[t])) {
        uint32_t release = trace_.partner(acquire);
        if (release != kNone && trace_.include(cut_, release)) again = added = true;
      }
    }
  }
  return added;
}

// Are two conflicting sections open?
bool Decision::openSectionsExclude() const {
  for (uint32_t t = 0; t < trace_.threads(); ++t)
    for (uint32_t a : trace_.openAfter(t, cut_[t]))
      for (uint32_t u = t + 1; u < trace_.threads(); ++u)
        for (uint32_t b : trace_.openAfter(u, cut_[u]))
          if (exclude(trace_.event(a), trace_.event(b))) return true;
  return false;
}

// The first section that stays open though a conflicting one comes later.
uint32_t Decision::firstLate() const {
  uint32_t first = kNone;
  for (uint32_t t = 0; t < trace_.threads(); ++t)
    for (uint32_t a : trace_.openAfter(t, cut_[t]))
      if (trace_.takenLater(cut_, a)) first = std::min(first, a);
  return first;
}

// Must an open section begin before the end of one that must end before it begins? The commonest
// cycle, and seen without any closure.
bool Decision::openSectionMustEnd() const {
  for (uint32_t t = 0; t < trace_.threads(); ++t) {
    for (uint32_t a : trace_.openAfter(t, cut_[t])) {
      const Event& e = trace_.event(a);
      for (const RecordedTrace::Use& use : trace_.usesOf(e.target)) {
        if (use.thread == t || cut_[use.thread] == 0) continue;
        uint32_t last = trace_.eventsOf(use.thread)[cut_[use.thread] - 1];
        for (bool shared : {false, true}) {
          if (shared && e.op == Op::SharedAcquire) continue;
          uint32_t theirs = lastBelow(shared ? use.shared : use.exclusive, last + 1);
          if (theirs != kNone && trace_.inPast(a, trace_.partner(theirs))) return true;
        }
      }
    }
  }
  return false;
}

Decision::Outcome Decision::decideIn(uint32_t start, uint32_t i, uint32_t j) {
  window_.set(cut_, start);
  whole_ = start == 0;
  State state = closed_.begin(window_);
  if (state == State::Cyclic) return Outcome::Never;
  if (state == State::Outside) return Outcome::Unclear;
  if (!whole_) {
    closedPossible_ = closed_;
    if (closedPossible_.putOutsideFirst() != State::Closed) return Outcome::Unclear;
  }
  events_.clear();
  for (uint32_t c = 0; c < window_.chains(); ++c)
    for (uint32_t place = 0; place < window_.length(c); ++place) events_.push_back(window_.id({c, place}));
  std::ranges::sort(events_);
  Outcome outcome = Outcome::NotFound;
  for (uint32_t e : {i, j}) {
    Outcome one = arrange(trace_.event(e).thread);
    if (one == Outcome::Race) return one;
    if (one == Outcome::Unclear) outcome = one;
  }
  return outcome;
}

// Step (3), for the thread whose events need no order.
Decision::Outcome Decision::arrange(uint32_t thread) {
  early_ = thread;
  sure_ = closed_;
  if (!whole_) possible_ = closedPossible_;
  for (uint32_t b : events_) {
    if (trace_.event(b).thread == thread) continue;
    collectConflicts(b, thread);
    for (uint32_t a : conflicts_)
      if (Outcome outcome = arrangePair(a, b); outcome != Outcome::Race) return outcome;
  }
  return Outcome::Race;
}

// Race: nothing speaks against it yet.
Decision::Outcome Decision::arrangePair(uint32_t a, uint32_t b) {
  if (sure_.before(a, b) || sure_.before(b, a)) return Outcome::Race;
  if (!whole_ && possible_.before(b, a)) return Outcome::Unclear;
  if (State s = sure_.insert(a, b); s != State::Closed)
    return s == State::Cyclic ? Outcome::NotFound : Outcome::Unclear;
  if (!whole_ && possible_.insert(a, b) != State::Closed) return Outcome::Unclear;
  return Outcome::Race;
}

// The events before `later` in the trace, of other threads and not of this one, that conflict with it and
// are not ordered. Of sections, their beginnings: the lock rule orders the rest.
void Decision::collectConflicts(uint32_t later, uint32_t thread) {
  conflicts_.clear();
  const Event& e = trace_.event(later);
  Node node = window_.node(later);
  auto add = [&](uint32_t other, std::span<const uint32_t> ids) {
    if (other == thread || other == e.thread) return;
    uint32_t chain = window_.chainOf(other);
    if (chain == kNone) return;
    uint32_t ordered = sure_.order().countBefore(node, chain);
    if (ordered >= window_.length(chain)) return;
    uint32_t from = window_.id({chain, ordered});
    for (auto a = std::ranges::lower_bound(ids, from); a != ids.end() && *a < later && window_.inCut(*a); ++a)
      conflicts_.push_back(*a);
  };
  if (isAccess(e.op)) {
    const AccessTable &writers = maps_.writes(), &readers = maps_.reads();
    for (const AccessTable::Run& run : writers.runs(e.target)) add(run.thread, writers.ids(run));
    if (writes(e.op))
      for (const AccessTable::Run& run : readers.runs(e.target)) add(run.thread, readers.ids(run));
  } else if (RecordedTrace::isAcquire(e.op)) {
    for (const RecordedTrace::Use& use : trace_.usesOf(e.target)) {
      add(use.thread, use.exclusive);
      if (e.op == Op::Acquire) add(use.thread, use.shared);
    }
  }
  std::ranges::sort(conflicts_);
}

// Algorithm 1, MaxMin: each event of the early thread as soon as what it needs is done.
std::vector<uint32_t> Decision::schedule() const {
  if (!reordered_) return trace_.eventsIn(cut_);
  std::vector<uint32_t> out = trace_.eventsIn(window_.before());
  const ChainOrder& order = (whole_ ? sure_ : possible_).order();
  std::vector<uint32_t> done(window_.chains(), 0), goal(window_.chains(), 0);
  auto ready = [&](Node n) {
    for (uint32_t d = 0; d < done.size(); ++d)
      if (d != n.chain && order.countBefore(n, d) > done[d]) return false;
    return true;
  };
  auto reachGoal = [&] {
    for (bool again = true; again;) {
      again = false;
      for (uint32_t c = 0; c < done.size(); ++c) {
        for (; done[c] < goal[c] && ready({c, done[c]}); ++done[c]) {
          out.push_back(window_.id({c, done[c]}));
          again = true;
        }
      }
    }
  };
  uint32_t early = window_.chainOf(early_);
  for (uint32_t place = 0; early != kNone && place < window_.length(early); ++place) {
    for (uint32_t c = 0; c < done.size(); ++c)
      goal[c] = c == early ? place + 1 : std::max(goal[c], order.countBefore({early, place}, c));
    reachGoal();
  }
  for (uint32_t c = 0; c < done.size(); ++c) goal[c] = window_.length(c);
  reachGoal();
  return out;
}

}  // namespace predrace::m2
