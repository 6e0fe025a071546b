#include "runtime/engines/m2_closure.h"

#include <algorithm>

namespace predrace::m2 {

void Window::set(const Cut& cut, uint32_t start) {
  cut_ = &cut;
  start_ = start;
  before_.assign(trace.threads(), 0);
  chainOf_.assign(trace.threads(), kNone);
  threads_.clear();
  for (uint32_t t = 0; t < trace.threads(); ++t) {
    std::span<const uint32_t> all = trace.eventsOf(t);
    auto place = static_cast<uint32_t>(std::ranges::lower_bound(all, start) - all.begin());
    before_[t] = std::min(place, cut[t]);
    if (before_[t] == cut[t]) continue;
    chainOf_[t] = chains();
    threads_.push_back(t);
  }
}

ClosedOrder::State ClosedOrder::begin(const Window& window) {
  window_ = &window;
  order_.reset(window.chains());
  wanted_.clear();
  outsideWriters_.clear();
  outside_ = false;
  for (uint32_t c = 0; c < window.chains(); ++c) {
    for (uint32_t place = 0; place < window.length(c); ++place) {
      uint32_t i = window.id({c, place});
      wantPast({c, place}, i);
      if (reads(window.trace.event(i).op)) wantOfRead(i);
    }
  }
  std::ranges::sort(outsideWriters_);
  outsideWriters_.erase(std::unique(outsideWriters_.begin(), outsideWriters_.end()), outsideWriters_.end());
  wantOpen();
  wantBoundary(/*assumed=*/false);
  // In the order of the trace new steps go to the ends of the staircases.
  std::ranges::sort(wanted_, std::greater(), [](const Edge& e) { return std::pair(e.second, e.first); });
  return close();
}

ClosedOrder::State ClosedOrder::putOutsideFirst() {
  wantBoundary(/*assumed=*/true);
  return close();
}

ClosedOrder::State ClosedOrder::insert(uint32_t a, uint32_t b) {
  want(a, b);
  return close();
}

void ClosedOrder::want(uint32_t a, uint32_t b) {
  if (a < window_->start()) return;  // what comes before the window is not ordered here
  if (b < window_->start())
    outside_ = true;
  else
    wanted_.emplace_back(a, b);
}

void ClosedOrder::wantPast(Node n, uint32_t i) {
  const RecordedTrace& trace = window_->trace;
  std::span<const uint32_t> past = trace.pastOf(i), known;
  if (n.place > 0) known = trace.pastOf(window_->id({n.chain, n.place - 1}));
  if (known.data() == past.data()) return;
  for (uint32_t c = 0; c < window_->chains(); ++c) {
    uint32_t thread = window_->threadOf(c), count = past[thread];
    if (c == n.chain || count <= window_->before()[thread]) continue;
    if (known.empty() || known[thread] < count) want(trace.eventsOf(thread)[count - 1], i);
  }
}

// The rules between the read, its writer, and what their own threads write.
void ClosedOrder::wantOfRead(uint32_t read) {
  const RecordedTrace& trace = window_->trace;
  const AccessTable& writes = window_->maps.writes();
  const Event& e = trace.event(read);
  uint32_t writer = trace.writerOf(read);
  if (writer == kNone) {
    for (const AccessTable::Run& run : writes.runs(e.target))
      if (uint32_t v = writes.ids(run).front(); v != read && window_->inCut(v)) want(read, v);
    return;
  }
  if (writer < window_->start()) {
    outsideWriters_.push_back(writer);
    return;
  }
  uint32_t v = lastBelow(writes.ids(e.target, e.thread), read);
  if (v != kNone && v != writer) want(v, writer);
  uint32_t next = window_->maps.nextSame(writer);
  if (next != kNone && next != read && window_->inCut(next)) want(read, next);
}

// A section that stays open comes after all that it excludes.
void ClosedOrder::wantOpen() {
  const RecordedTrace& trace = window_->trace;
  auto lastReleaseBefore = [&](uint32_t acquire, const std::vector<uint32_t>& theirs, uint32_t thread) {
    std::span<const uint32_t> all = trace.eventsOf(thread);
    uint32_t count = window_->cut()[thread];
    uint32_t last = lastBelow(theirs, count < all.size() ? all[count] : trace.size());
    if (last == kNone) return;
    want(trace.partner(last), acquire);
  };
  for (uint32_t c = 0; c < window_->chains(); ++c) {
    uint32_t thread = window_->threadOf(c);
    for (uint32_t acquire : trace.openAfter(thread, window_->cut()[thread])) {
      if (acquire < window_->start()) continue;
      const Event& e = trace.event(acquire);
      for (const RecordedTrace::Use& use : trace.usesOf(e.target)) {
        if (use.thread == thread) continue;
        lastReleaseBefore(acquire, use.exclusive, use.thread);
        if (e.op == Op::Acquire) lastReleaseBefore(acquire, use.shared, use.thread);
      }
    }
  }
}

// What follows in the window from orderings between what is before it and what is in it: those
// that are in the past, or all of them.
void ClosedOrder::wantBoundary(bool assumed) {
  const RecordedTrace& trace = window_->trace;
  auto follows = [&](uint32_t first, uint32_t i) { return assumed || trace.inPast(first, i); };
  for (uint32_t w : outsideWriters_) {
    for (const AccessTable::Run& run : window_->maps.writes().runs(trace.event(w).target)) {
      std::span<const uint32_t> ids = window_->maps.writes().ids(run);
      for (auto v = std::ranges::lower_bound(ids, window_->start()); v != ids.end() && window_->inCut(*v);
           ++v) {
        if (!follows(w, *v)) continue;
        wantReadersBefore(w, *v);
        break;
      }
    }
  }
  for (uint32_t t = 0; t < trace.threads(); ++t) {
    for (uint32_t acquire : trace.openAfter(t, window_->before()[t])) {
      uint32_t release = trace.partner(acquire);
      if (release == kNone || !window_->has(release)) continue;
      const Event& e = trace.event(acquire);
      auto sections = [&](const std::vector<uint32_t>& theirs) {
        for (auto a = std::ranges::lower_bound(theirs, window_->start()); a != theirs.end(); ++a) {
          uint32_t r = trace.partner(*a);
          if (r == kNone || !window_->inCut(r)) return;
          if (!follows(acquire, r)) continue;
          want(release, *a);
          return;
        }
      };
      for (const RecordedTrace::Use& use : trace.usesOf(e.target)) {
        if (use.thread == t) continue;
        sections(use.exclusive);
        if (e.op == Op::Acquire) sections(use.shared);
      }
    }
  }
}

// Those who read what `writer` wrote come before `write`, which comes after it.
void ClosedOrder::wantReadersBefore(uint32_t writer, uint32_t write) {
  const RecordedTrace& trace = window_->trace;
  const AccessTable& reads = window_->maps.reads();
  uint32_t end = window_->maps.nextWrite(writer);
  // An update both reads what came before it and writes.
  if (end != kNone && trace.writerOf(end) == writer) ++end;
  for (const AccessTable::Run& run : reads.runs(trace.event(writer).target)) {
    std::span<const uint32_t> all = trace.eventsOf(run.thread);
    uint32_t count = window_->cut()[run.thread];
    uint32_t outside = count < all.size() ? all[count] : kNone;
    uint32_t reader = lastBelow(reads.ids(run), std::min(end, outside));
    if (reader == write && reader != kNone) reader = lastBelow(reads.ids(run), reader);
    if (reader != kNone && trace.writerOf(reader) == writer) want(reader, write);
  }
}

void ClosedOrder::observe(const Added& added, uint32_t write) {
  const RecordedTrace& trace = window_->trace;
  const Maps& maps = window_->maps;
  uint32_t x = trace.event(write).target, thread = window_->threadOf(added.to.chain),
           to = window_->id(added.to);
  uint32_t later = firstFrom(maps.writes().ids(x, thread), to);
  if (later != kNone && window_->inCut(later)) wantReadersBefore(write, later);

  std::span<const uint32_t> theirs = maps.reads().ids(x, thread);
  uint32_t read = firstFrom(theirs, to);
  if (read != kNone && trace.writerOf(read) == write) {
    // Its readers are those up to the next write; an update among them may be that write.
    uint32_t end = maps.nextWrite(write);
    if (end != kNone && trace.writerOf(end) == write) ++end;
    read = end == kNone ? kNone : firstFrom(theirs, std::max(end, to));
  }
  if (read == kNone || !window_->inCut(read)) return;
  // A read of the initial value is before all writes already, so this order was refused.
  if (uint32_t writer = trace.writerOf(read); writer != kNone) want(write, writer);
}

void ClosedOrder::exclude(const Added& added, uint32_t acquire) {
  const RecordedTrace& trace = window_->trace;
  uint32_t mine = trace.partner(acquire);
  // A section that stays open comes after the others already.
  if (mine == kNone || !window_->inCut(mine)) return;
  const Event& e = trace.event(acquire);
  uint32_t thread = window_->threadOf(added.to.chain), to = window_->id(added.to);
  for (bool shared : {false, true}) {
    if (shared && e.op == Op::SharedAcquire) break;
    uint32_t release = window_->maps.releaseFrom(e.target, thread, shared, to);
    if (release != kNone && window_->inCut(release)) want(mine, trace.partner(release));
  }
}

ClosedOrder::State ClosedOrder::close() {
  const RecordedTrace& trace = window_->trace;
  while (!wanted_.empty()) {
    auto [a, b] = wanted_.back();
    wanted_.pop_back();
    added_.clear();
    if (!order_.insert(window_->node(a), window_->node(b), added_)) return State::Cyclic;
    for (const Added& added : added_) {
      uint32_t last = window_->id(added.from);
      for (uint32_t place = added.since; place <= added.from.place; ++place) {
        uint32_t i = window_->id({added.from.chain, place});
        Op op = trace.event(i).op;
        bool acquires = RecordedTrace::isAcquire(op);
        if (!acquires && !writes(op)) continue;
        if (window_->maps.nextSame(i) <= last) continue;  // kNone is not
        if (acquires)
          exclude(added, i);
        else
          observe(added, i);
      }
    }
  }
  return outside_ ? State::Outside : State::Closed;
}

}  // namespace predrace::m2
