#include "runtime/engines/forward_edges.h"

#include <utility>

namespace predrace {
namespace {

template <class T>
T& grown(std::vector<T>& v, uint32_t number) {
  if (number >= v.size()) v.resize(number + 1);
  return v[number];
}

// Of each thread that has one: a value, its first one being T().
template <class T>
class ByThread {
 public:
  T& operator[](uint32_t thread) {
    for (auto& [t, value] : values_)
      if (t == thread) return value;
    return values_.emplace_back(thread, T()).second;
  }

 private:
  std::vector<std::pair<uint32_t, T>> values_;
};

// Events of one kind on one target, in the order of the trace.
using Ids = std::vector<uint32_t>;

// Goes through the trace once; finds the edges into each event.
class Finder {
 public:
  explicit Finder(const RecordedTrace& trace) : trace_(trace) {}

  void into(uint32_t k);
  const std::vector<std::pair<uint32_t, uint32_t>>& edges() const { return edges_; }

 private:
  // Ids are kept as "one past", so that 0 says none.
  struct Variable {
    Ids accesses;
    ByThread<uint32_t> known;  // past the latest write that the thread has read or made
  };
  struct Lock {
    Ids exclusive, shared;  // releases
    struct Taken {
      uint32_t exclusive = 0, any = 0;  // past the thread's last acquire
    };
    ByThread<Taken> taken;
  };
  struct Channel {
    Ids sends;
    ByThread<uint32_t> received;  // past the thread's last rcv
  };

  void edge(uint32_t i, uint32_t k) {
    if (trace_.event(i).thread != trace_.event(k).thread) edges_.emplace_back(i, k);
  }
  // From all of the ids that are at least `first`.
  void edgesFrom(const Ids& ids, uint32_t first, uint32_t k) {
    for (size_t n = ids.size(); n > 0 && ids[n - 1] >= first; --n) edge(ids[n - 1], k);
  }
  void access(uint32_t k);
  void acquire(uint32_t k);

  const RecordedTrace& trace_;
  std::vector<std::pair<uint32_t, uint32_t>> edges_;
  std::vector<Variable> variables_;
  std::vector<Lock> locks_;
  std::vector<Channel> channels_;
  std::vector<uint32_t> last_;  // by thread: past its last event
};

void Finder::access(uint32_t k) {
  const Event& e = trace_.event(k);
  Variable& v = grown(variables_, e.target);
  uint32_t& known = v.known[e.thread];
  if (uint32_t w = reads(e.op) ? trace_.writerOf(k) : kNone; w != kNone) {
    edge(w, k);
    known = std::max(known, w + 1);
  }
  if (writes(e.op)) {
    // The write that is known has its own edge, or is of this thread.
    edgesFrom(v.accesses, known, k);
    known = k + 1;
  }
  v.accesses.push_back(k);
}

void Finder::acquire(uint32_t k) {
  const Event& e = trace_.event(k);
  Lock& l = grown(locks_, e.target);
  Lock::Taken& mine = l.taken[e.thread];
  edgesFrom(l.exclusive, mine.any, k);
  if (e.op == Op::Acquire) {
    edgesFrom(l.shared, mine.exclusive, k);
    mine.exclusive = k + 1;
  }
  mine.any = k + 1;
}

void Finder::into(uint32_t k) {
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
    if (uint32_t last = grown(last_, e.target); last != 0) edge(last - 1, k);
  } else if (e.op == Op::Send) {
    grown(channels_, e.target).sends.push_back(k);
  } else if (e.op == Op::Receive) {
    Channel& c = grown(channels_, e.target);
    edgesFrom(c.sends, std::exchange(c.received[e.thread], k + 1), k);
  }
  grown(last_, e.thread) = k + 1;
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
  Finder finder(trace);
  for (uint32_t k = 0; k < trace.size(); ++k) finder.into(k);
  // Sorted by source, by counting: comparing costs more than all the rest.
  std::vector<size_t> next(trace.size() + 1, 0);
  for (auto [i, k] : finder.edges()) ++next[i + 1];
  for (uint32_t i = 0; i < trace.size(); ++i) next[i + 1] += next[i];
  std::vector<uint32_t> targets(finder.edges().size());
  for (auto [i, k] : finder.edges()) targets[next[i]++] = k;
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

size_t ForwardEdges::memoryBytes() const {
  size_t bytes = 0;
  for (const std::vector<Link>& links : links_)
    for (const Link& l : links) bytes += l.places.capacity() * sizeof(uint32_t) + l.targets.memoryBytes();
  return bytes;
}

}  // namespace predrace
