#include "runtime/engines/forward_edges.h"

#include <utility>

namespace predrace {
namespace {

template <class T>
T& grown(std::vector<T>& v, uint32_t number) {
  if (number >= v.size()) v.resize(number + 1);
  return v[number];
}

// Events of one kind on one target, in the order of the trace.
using Ids = std::vector<uint32_t>;

// Goes through the trace once; calls found(i, k) for each edge, in the order of k.
template <class Found>
class Finder {
 public:
  Finder(const RecordedTrace& trace, Found found)
      : trace_(trace), found_(found), last_(trace.threads(), kNone) {
    for (uint32_t k = 0; k < trace.size(); ++k) into(k);
  }

 private:
  struct Lock {
    Ids exclusive, shared;  // releases
  };

  void edge(uint32_t i, uint32_t k) {
    if (trace_.event(i).thread != trace_.event(k).thread) found_(i, k);
  }
  void into(uint32_t k);
  void access(uint32_t k);
  void acquire(uint32_t k);

  const RecordedTrace& trace_;
  Found found_;
  std::vector<Ids> accesses_;  // by variable
  std::vector<Lock> locks_;
  std::vector<Ids> sends_;      // by channel: the last one of each thread
  std::vector<uint32_t> last_;  // by thread: its last event
};

template <class Found>
void Finder<Found>::access(uint32_t k) {
  const Event& e = trace_.event(k);
  Ids& accesses = grown(accesses_, e.target);
  if (uint32_t w = reads(e.op) ? trace_.writerOf(k) : kNone; w != kNone) edge(w, k);
  for (size_t n = writes(e.op) ? accesses.size() : 0; n > 0; --n) {
    uint32_t i = accesses[n - 1];
    bool past = trace_.inPast(i, k);
    if (past && writes(trace_.event(i).op)) break;
    if (!past) edge(i, k);
  }
  accesses.push_back(k);
}

template <class Found>
void Finder<Found>::acquire(uint32_t k) {
  Lock& l = grown(locks_, trace_.event(k).target);
  uint32_t known = 0;  // the latest exclusive release in k's past
  for (size_t n = l.exclusive.size(); n > 0; --n) {
    uint32_t i = l.exclusive[n - 1];
    if (trace_.inPast(i, k)) {
      known = i;
      break;
    }
    edge(i, k);
  }
  if (trace_.event(k).op == Op::SharedAcquire) return;
  for (size_t n = l.shared.size(); n > 0 && l.shared[n - 1] > known; --n)
    if (!trace_.inPast(l.shared[n - 1], k)) edge(l.shared[n - 1], k);
}

template <class Found>
void Finder<Found>::into(uint32_t k) {
  const Event& e = trace_.event(k);
  if (trace_.place(k) == 0 && trace_.forkOf(e.thread) != kNone) edge(trace_.forkOf(e.thread), k);
  if (e.op == Op::At || isAtomic(e.op))
    if (uint32_t before = trace_.keptBefore(k); before != kNone) edge(before, k);
  if (isAccess(e.op)) {
    access(k);
  } else if (RecordedTrace::isAcquire(e.op)) {
    acquire(k);
  } else if (RecordedTrace::isRelease(e.op)) {
    Lock& l = grown(locks_, e.target);
    (e.op == Op::Release ? l.exclusive : l.shared).push_back(k);
  } else if (e.op == Op::Join) {
    if (e.target < last_.size() && last_[e.target] != kNone) edge(last_[e.target], k);
  } else if (e.op == Op::Send) {
    Ids& sends = grown(sends_, e.target);
    std::erase_if(sends, [&](uint32_t i) { return trace_.event(i).thread == e.thread; });
    sends.push_back(k);
  } else if (e.op == Op::Receive) {
    for (uint32_t i : grown(sends_, e.target)) edge(i, k);
  }
  last_[e.thread] = k;
}

// The edges of one thread's events, which come in their order, as links.
class Splitter {
 public:
  explicit Splitter(uint32_t threads) : linkTo_(threads) {}

  void begin() { std::ranges::fill(linkTo_, kNone); }
  void add(uint32_t place, uint32_t thread, uint32_t target) {
    if (linkTo_[thread] == kNone) {
      linkTo_[thread] = static_cast<uint32_t>(links_.size());
      links_.push_back({thread, {}, {}});
      targets_.emplace_back();
    }
    links_[linkTo_[thread]].places.push_back(place);
    targets_[linkTo_[thread]].push_back(target);
  }
  std::vector<ForwardEdges::Link> end() {
    for (size_t l = 0; l < links_.size(); ++l) {
      links_[l].places.shrink_to_fit();
      targets_[l].shrink_to_fit();
      links_[l].targets = RangeMinima(std::move(targets_[l]));
    }
    targets_.clear();
    return std::exchange(links_, {});
  }

 private:
  std::vector<uint32_t> linkTo_;  // by thread
  std::vector<ForwardEdges::Link> links_;
  std::vector<std::vector<uint32_t>> targets_;
};

}  // namespace

ForwardEdges::ForwardEdges(const RecordedTrace& trace) : links_(trace.threads()) {
  // Found twice, to be counted and then put in the order of their sources: a list of all, to be sorted, would
  // take twice the memory of what comes of it.
  std::vector<size_t> next(trace.size() + 1, 0);
  Finder(trace, [&](uint32_t i, uint32_t) { ++next[i + 1]; });
  for (uint32_t i = 0; i < trace.size(); ++i) next[i + 1] += next[i];
  std::vector<uint32_t> targets(next.back());
  Finder(trace, [&](uint32_t i, uint32_t k) { targets[next[i]++] = k; });
  // Now next[i] is where the edges of i end.
  Splitter splitter(trace.threads());
  for (uint32_t t = 0; t < trace.threads(); ++t) {
    splitter.begin();
    for (uint32_t i : trace.eventsOf(t))
      for (size_t n = i == 0 ? 0 : next[i - 1]; n < next[i]; ++n)
        splitter.add(trace.place(i), trace.event(targets[n]).thread, trace.place(targets[n]));
    links_[t] = splitter.end();
  }
}

}  // namespace predrace
