// Threads, sections and hard order. The access path is in wcp_access.cpp.
#include "runtime/engines/wcp_analysis.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace predrace::wcp {

namespace {
constexpr uint32_t kMostLanes = 1 << 16;  // Access, Rule and Section have 16 bits for them
constexpr size_t kIdle = 512;             // ended threads that are remembered one by one
}  // namespace

Analysis::Analysis(WcpOptions options, RaceSink sink)
    : options_(options),
      sink_(std::move(sink)),
      sweepAt_(options.sections),
      variables_(pool_),
      objects_(pool_) {}

Analysis::Thread& Analysis::begin(uint32_t number) {
  Moment parent;
  if (number < forked_.size()) parent = std::exchange(forked_[number], Moment());
  auto place = lanes_.start(number, [&](uint32_t lane) { return parent ? parent[lane] : 0; });
  if (place.lane >= kMostLanes) throw std::length_error("more than 65535 threads at once");
  if (place.lane >= threads_.size()) threads_.resize(place.lane + 1);
  Thread& t = threads_[place.lane];
  if (t.own) leaveLane(t);
  t.lane = place.lane;
  t.number = number;
  t.own = place.from + 1;
  ++t.segment;
  t.H.clear();
  if (parent) parent.joinInto(pool_, t.H);
  t.P = t.H;  // what is before a hard edge is before all that follows it
  return t;
}

// A lane whose numbers run out ends, and its thread goes on in a new one. What it did so
// far then counts as WCP-before what it does from now on: that only adds order.
Analysis::Thread& Analysis::renew(Thread& old) {
  auto place = lanes_.move(old.number, old.own);
  uint32_t from = old.lane;
  threads_.resize(place.lane + 1);
  Thread& t = threads_[place.lane];
  t.lane = place.lane;
  t.number = threads_[from].number;
  t.own = 1;
  t.segment = 1;
  hardOrder(t, now(threads_[from]));
  return t;
}

Analysis::Thread& Analysis::threadOf(uint32_t number) {
  uint32_t lane = lanes_.of(number);
  if (lane == kNone) [[unlikely]]
    return begin(number);
  Thread& t = threads_[lane];
  if (t.segment >= options_.longest && t.held.empty()) [[unlikely]]
    return renew(t);
  return t;
}

void Analysis::tick(Thread& t) {
  ++t.own;
  ++t.segment;
}

void Analysis::hardOrder(Thread& t, const Moment& m) {
  m.joinInto(pool_, t.H);
  m.joinInto(pool_, t.P);
}

// HB from the list's latest release to the thread's next event.
void Analysis::learn(Thread& t, const Lock& l) {
  const Section* s = l.latest();
  if (s && s->lane != t.lane && s->released > t.H[s->lane]) {
    s->joinInto(pool_, t.H);
    t.P.join(pool_, l.P);
  } else if (l.raised) [[unlikely]] {
    t.P.join(pool_, l.P);
  }
}

void Analysis::acquire(Thread& t, uint32_t number, bool shared) {
  if (latest_ >= options_.longest) [[unlikely]]
    restart();
  uint32_t main = locks_.main(number, latest_);
  uint32_t list = shared ? locks_.reader(main, t.lane, latest_) : main;
  const Lock& l = locks_[main];
  learn(t, l);
  if (shared)
    learn(t, locks_[list]);
  else
    for (auto [lane, reader] : l.readers) learn(t, locks_[reader]);
  t.held.push_back({number, main, list, ++latest_, l.ordered, t.own, shared, false});
  ++t.segment;
}

// The edge of rule (b) into a release, from where it comes; null: none that is new.
const Section* Analysis::ruleB(Thread& t, Lock& l) {
  const Section* j = l.locate(t.P);
  if (j && !j->within(t.P)) j->joinInto(pool_, t.P);
  return j;
}

// REQUIRES: all that have to do with this list later will know P.
void Analysis::ruleBForAll(Thread& t, Lock& l) {
  if (const Section* j = ruleB(t, l)) locks_.order(l, j);
}

void Analysis::release(Thread& t, uint32_t number, bool shared) {
  auto h = t.held.end();
  while (h != t.held.begin())
    if (--h; h->number == number && h->shared == shared) {
      close(t, *h);
      t.held.erase(h);
      return tick(t);
    }
}

// A shared section concerns its own list and the exclusive sections, an exclusive one those
// and all readers' lists. The readers' in the order in which the definition releases them:
// what one of them gives to P counts for the next.
void Analysis::close(Thread& t, const Hold& h) {
  Lock& main = locks_[h.main];
  Lock& l = locks_[h.list];
  if (h.shared) ruleB(t, main);
  ruleBForAll(t, l);
  for (size_t i = h.shared ? 0 : main.readers.size(); i-- > 0;)
    ruleBForAll(t, locks_[main.readers[i].second]);
  Section& s = locks_.push(l);
  s.known = t.H;
  s.number = h.section;
  s.lane = static_cast<uint16_t>(t.lane);
  s.acquired = h.acquired;
  s.released = t.own;
  if (!l.P.shares(t.P)) l.P = t.P;
  l.raised = false;
  if (h.whole) [[unlikely]]
    order(h.list, h.section);
  if (locks_.sections() >= sweepAt_) [[unlikely]]
    sweep();
}

void Analysis::fork(Thread& t, uint32_t child) {
  if (lanes_.everOf(child) == kNone) {
    if (child >= forked_.size()) forked_.resize(child + 1);
    forked_[child] = now(t);
  }
  tick(t);
}

void Analysis::join(Thread& t, uint32_t child) {
  uint32_t lane = lanes_.of(child);
  if (lane == t.lane) return;
  if (lane != kNone) {
    end(threads_[lane]);
    hardOrder(t, now(threads_[lane]));
  } else if (auto e = ended_.find(child); e != ended_.end()) {
    hardOrder(t, e->second);
  } else if (lanes_.everOf(child) != kNone) {
    t.H.join(pool_, endedLongAgo_);
    t.P.join(pool_, endedLongAgo_);
  }
}

// Somebody has joined the lane's thread, or its lane would not pass on; others still may.
void Analysis::leaveLane(const Thread& t) {
  if (ended_.size() >= kIdle) {
    for (const auto& [number, last] : ended_) last.joinInto(pool_, endedLongAgo_);
    ended_.clear();
  }
  ended_[t.number] = now(t);
}

void Analysis::end(Thread& t) {
  while (!t.held.empty()) release(t, t.held.back().number, t.held.back().shared);
  lanes_.end(t.number, t.own);
  limitIdle();
}

// The oldest ended threads that nobody waited for count as before everything later, so that
// their lanes can pass on.
void Analysis::limitIdle() {
  Clock all;
  for (uint32_t lane : lanes_.orderOldest(kIdle)) now(threads_[lane]).joinInto(pool_, all);
  if (!all.size()) return;
  for (Thread& t : threads_) {
    t.H.join(pool_, all);
    t.P.join(pool_, all);
  }
  for (Moment& m : forked_)
    if (m) m.others.join(pool_, all);
}

void Analysis::send(Thread& t, uint32_t channel) {
  Channel& c = channels_[channel];
  Moment m = now(t);
  if (c.sent && (c.several || c.sent.lane != t.lane)) {
    c.sent.joinInto(pool_, m.others);
    c.several = true;
  }
  c.sent = std::move(m);
  tick(t);
}

void Analysis::receive(Thread& t, uint32_t channel) {
  const Channel* c = channels_.find(channel);
  if (c && c->sent && (c->several || !c->sent.within(t.P))) hardOrder(t, c->sent);
}

void Analysis::forgetChannel(uint32_t channel) {
  if (Channel* c = channels_.find(channel)) *c = Channel();
}

void Analysis::forgetLock(uint32_t lock) {
  if (!locks_.find(lock)) return;
  for (Thread& t : threads_)  // destroyed while held: its section ends here
    for (bool shared : {false, true})
      while (
          std::ranges::any_of(t.held, [&](const Hold& h) { return h.number == lock && h.shared == shared; }))
        release(t, lock, shared);
  locks_.forget(lock);
}

}  // namespace predrace::wcp
