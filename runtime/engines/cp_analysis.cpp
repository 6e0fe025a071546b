// Threads, sections and hard order. The access path is in cp_access.cpp.
#include "runtime/engines/cp_analysis.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace predrace::cp {

namespace {
constexpr uint32_t kMostLanes = 1 << 16;  // Access and Rule have 16 bits for them
}

Analysis::Analysis(CpOptions options, RaceSink sink)
    : options_(options),
      locks_(pool_),
      solver_(pool_, locks_),
      variables_(pool_),
      objects_(pool_),
      reports_(std::move(sink), variables_, lanes_, options.hand_over ? &logs_ : nullptr),
      waitingLimit_(options.waiting) {}

Analysis::Thread& Analysis::begin(uint32_t number) {
  Moment parent;
  if (number < forked_.size()) parent = std::exchange(forked_[number], Moment());
  auto place = lanes_.start(number, [&](uint32_t lane) { return parent ? parent[lane] : 0; });
  if (place.lane >= kMostLanes) throw std::length_error("more than 65535 threads at once");
  if (place.lane >= threads_.size()) {
    threads_.resize(place.lane + 1);
    logs_.resize(place.lane + 1);
  }
  Thread& t = threads_[place.lane];
  if (t.own) now(t).joinInto(pool_, passedOn_);
  t.lane = place.lane;
  t.number = number;
  t.own = place.from + 1;
  ++t.segment;
  t.H.clear();
  t.C.clear();
  t.U.clear();
  t.lockset = Locksets::kEmpty;
  logs_[place.lane].clear();
  if (parent) {
    parent.joinInto(pool_, t.H);
    t.C = t.H;  // what is before a hard edge is before all that follows it
  }
  return t;
}

// A lane whose numbers run out ends, and its thread goes on in a new one. What it did so
// far then counts as CP-before what it does from now on: that only adds order.
Analysis::Thread& Analysis::renew(Thread& old) {
  ++stats_.folded;
  auto place = lanes_.move(old.number, old.own);
  uint32_t from = old.lane;
  threads_.resize(place.lane + 1);
  logs_.resize(place.lane + 1);
  Thread& t = threads_[place.lane];
  Thread& o = threads_[from];
  t.lane = place.lane;
  t.number = o.number;
  t.own = 1;
  t.segment = 1;
  t.H = o.H;
  now(o).joinInto(pool_, t.H);
  t.C = t.H;
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

template <class End>
void Analysis::raiseC(Thread& t, const End& end) {
  if (end.within(t.C)) return;
  end.joinInto(pool_, t.C);
  t.settled = 0;
}

void Analysis::hardOrder(Thread& t, const Moment& m) {
  m.joinInto(pool_, t.H);
  m.joinInto(pool_, t.C);
  t.settled = 0;
  settle(t);
}

void Analysis::settleNow(Thread& t) {
  for (const Unknown* u : t.U)
    if (u->given && !u->given.within(t.C)) u->given.joinInto(pool_, t.C);
  t.U.eraseIf(pool_, [&](const Unknown* u) { return u->final || u->exhausted(t.C); });
  t.settled = solver_.version();
}

void Analysis::acquire(Thread& t, const Event& e, bool shared) {
  ++stats_.sections;
  settle(t);
  uint32_t main = locks_.main(e.target), section = t.nextSection++;
  if (locks_[shared ? locks_.reader(main, t.lane) : main].last >= options_.longest) [[unlikely]]
    main = renumber(t, e.target, main);
  t.taken.push_back({section, e.target, shared, t.lockset});
  Lock& l = locks_[main];
  uint32_t step = t.lockset << 1 | static_cast<uint32_t>(shared);
  if (l.setBefore != step) {
    l.setBefore = step;
    l.setWith = locksets_.with(t.lockset, e.target, shared);
  }
  t.lockset = l.setWith;
  if (shared) {
    take(t, locks_.reader(main, t.lane), section, e);
  } else {
    for (size_t i = 0; i < l.readers.size(); ++i) take(t, l.readers[i].second, section, e);
    take(t, main, section, e);
  }
  ++t.segment;
  settle(t);
}

// The lock's numbers run out: its history so far counts as hard order before this acquire,
// and it starts anew. Not while others hold it shared; there is time.
uint32_t Analysis::renumber(Thread& t, uint32_t number, uint32_t main) {
  std::vector<uint32_t> all{main};
  for (auto [lane, reader] : locks_[main].readers) all.push_back(reader);
  for (uint32_t id : all)
    if (locks_[id].holder != kNone) return main;
  for (uint32_t id : all)
    if (const Lock& l = locks_[id]; l.last > l.zero) hardOrder(t, locks_.at(l, l.last).end());
  ++stats_.folded;
  locks_.forget(number);
  limitNumbers();
  return locks_.main(number);
}

// New locks go on above the numbers of old ones because rules may still name those. Once in
// some billions of sections, the rules are cleaned and numbers start at 1 again.
void Analysis::limitNumbers() {
  if (locks_.highest() < options_.longest / 2) return;
  auto gone = [&](const Rule& r) { return locks_.isFree(r.lock()) || r.last <= locks_[r.lock()].zero; };
  variables_.prune(gone);
  objects_.prune(gone);
  locks_.restart();
}

void Analysis::take(Thread& t, uint32_t id, uint32_t section, const Event& e) {
  publish(t);
  Lock& l = locks_[id];
  uint32_t J = l.zero, k = l.last + 1;
  if (l.last > l.zero) {
    const Section& before = locks_.at(l, l.last);
    if (before.lane != t.lane && before.released > t.H[before.lane]) {
      before.joinInto(pool_, t.H);
      t.C.join(pool_, l.C);
      for (Unknown* u : l.U) {
        if (u->final)
          raiseC(t, u->given);
        else
          t.U.put(pool_, u);
      }
      t.settled = 0;
      if (options_.hand_over) logs_[t.lane].add(before.end(), l.number, l.releaseSite, e.site, e.index);
    }
    J = before.acquired <= t.C[before.lane] ? l.last : l.latestJ();
    if (J > l.zero) raiseC(t, locks_.at(l, J));
  }
  locks_.push(id, [&](uint32_t lock) { return solver_.lowestJ(lock); });
  Section& s = locks_.latest(l);
  s.lane = t.lane;
  s.acquired = t.own;
  l.holder = t.lane;
  t.held.emplace_back();
  Hold& h = t.held.back();
  h.lock = id;
  h.parent = l.parent;
  h.k = k;
  h.section = section;
  h.J = l.J = J;
  h.alone = J < k - 1;
  l.unknown.set(pool_, nullptr);
  stats_.unknown += h.alone;
}

// Most sections whose J is not known at their acquire end before anyone could ask: no other is
// open, so J is known at the release. Those need no Unknown. Before a second section, or a check
// that has to wait, they get one.
void Analysis::publish(Thread& t) {
  for (Hold& h : t.held) {
    if (!h.alone) continue;
    h.alone = false;
    Lock& l = locks_[h.lock];
    const Section& before = locks_.at(l, h.k - 1);
    Unknown* u = solver_.open(h.lock, h.k, h.J, before.lane, before.released);
    h.unknown.set(pool_, u);
    l.unknown.set(pool_, u);
    t.U.put(pool_, u);
    t.settled = 0;
  }
}

// REQUIRES: j is more than its J so far.
void Analysis::raise(Thread& t, Hold& h, uint32_t j) {
  if (!h.alone) {
    solver_.raise(h.unknown.get(), j);
    return raiseC(t, h.unknown->given);
  }
  Lock& l = locks_[h.lock];
  h.J = l.J = j;
  h.alone = j < h.k - 1;
  raiseC(t, locks_.at(l, j));
}

// All locks of one section end in one moment.
void Analysis::release(Thread& t, uint32_t number, bool shared, uint32_t site) {
  size_t i = t.taken.size();
  while (i && (t.taken[i - 1].number != number || t.taken[i - 1].shared != shared)) --i;
  if (!i) return;
  if (i == t.taken.size()) {
    t.lockset = t.taken.back().locksetBefore;
  } else {
    wellNested_ = false;
    t.lockset = locksets_.without(t.lockset, number, shared);
    for (size_t later = i; later < t.taken.size(); ++later)
      t.taken[later].locksetBefore = locksets_.without(t.taken[later].locksetBefore, number, shared);
  }
  uint32_t section = t.taken[i - 1].id;
  t.taken.erase(t.taken.begin() + static_cast<std::ptrdiff_t>(i - 1));

  settle(t);
  if (t.held.size() == 1 && !t.held[0].unknown && t.U.empty()) [[likely]]
    closeKnown(t, site);
  else
    close(t, section, site);
  tick(t);
}

// The only section, and nothing that it depends on is open.
void Analysis::closeKnown(Thread& t, uint32_t site) {
  Hold& h = t.held[0];
  Lock& l = locks_[h.lock];
  Section& s = locks_.latest(l);
  s.known = t.H;
  s.released = t.own;
  while (h.alone) {
    uint32_t j = locks_.locate(l, t.C, h.k, h.J);
    if (j == h.J) break;
    raise(t, h, j);
  }
  l.C = t.C;
  l.U.clear();
  l.releaseSite = site;
  l.holder = kNone;
  t.held.pop_back();
}

void Analysis::close(Thread& t, uint32_t section, uint32_t site) {
  publish(t);
  auto mine = [&](auto action) {
    for (Hold& h : t.held)
      if (h.section == section) action(h);
  };
  mine([&](Hold& h) {
    Section& s = locks_.latest(locks_[h.lock]);
    s.known = t.H;
    s.released = t.own;
  });
  for (bool changed = true; changed;) {  // what one of them learns may concern another
    changed = false;
    mine([&](Hold& h) {
      Unknown* u = h.unknown.get();
      if (!u || u->final) return;
      uint32_t j = locks_.locate(locks_[h.lock], t.C, h.k, u->J);
      if (j == u->J) return;
      raise(t, h, j);
      changed = true;
    });
  }
  mine([&](Hold& h) {
    Unknown* u = h.unknown.get();
    if (!u || u->final) return;
    if (t.U.size() > 1 || (t.U.size() == 1 && *t.U.begin() != u)) {
      u->needs = t.U;
      u->needs.eraseIf(pool_, [&](const Unknown* n) { return n->lock == u->lock; });
    }
    solver_.close(u);
  });
  decideReady();
  settle(t);
  mine([&](Hold& h) {
    Lock& l = locks_[h.lock];
    l.C = t.C;
    l.U = t.U;
    l.releaseSite = site;
    l.holder = kNone;
    h.unknown.set(pool_, nullptr);
  });
  auto kept =
      std::remove_if(t.held.begin(), t.held.end(), [&](const Hold& h) { return h.section == section; });
  t.held.erase(kept, t.held.end());
  limitWaiting();
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
  } else if (child < forked_.size() && forked_[child]) {
    hardOrder(t, forked_[child]);
  } else if (lanes_.everOf(child) != kNone) {
    hardOrder(t, {passedOn_, t.lane, 1});  // joined before, and its lane has passed on
  }
}

void Analysis::end(Thread& t) {
  while (!t.taken.empty()) release(t, t.taken.back().number, t.taken.back().shared, 0);
  lanes_.end(t.number, t.own);
  limitIdle();
}

void Analysis::limitIdle() {
  Clock all;
  for (uint32_t lane : lanes_.orderOldest(options_.idle_threads)) {
    now(threads_[lane]).joinInto(pool_, all);
    ++stats_.folded;
  }
  if (!all.size()) return;
  for (Thread& t : threads_) {
    t.H.join(pool_, all);
    t.C.join(pool_, all);
    t.settled = 0;
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
  if (c && c->sent && (c->several || !c->sent.within(t.C))) hardOrder(t, c->sent);
}

void Analysis::finish() {
  for (Thread& t : threads_)
    while (!t.taken.empty()) release(t, t.taken.back().number, t.taken.back().shared, 0);
}

void Analysis::splitVariable(uint32_t from, uint32_t to) {
  reports_.split(from, to);
  variables_.copy(from, to);
}

void Analysis::forgetVariable(uint32_t variable) {
  if (!variables_.find(variable)) return;
  reports_.forget(variable);
  variables_.clear(variable);
}

void Analysis::forgetChannel(uint32_t channel) {
  if (Channel* c = channels_.find(channel)) *c = Channel();
}

void Analysis::forgetLock(uint32_t lock) {
  uint32_t main = locks_.find(lock);
  if (!main) return;
  for (Thread& t : threads_)  // destroyed while held: its section ends here
    if (!t.taken.empty())
      for (bool shared : {false, true})
        while (std::ranges::any_of(t.taken,
                                   [&](const Taken& s) { return s.number == lock && s.shared == shared; }))
          release(t, lock, shared, 0);
  locks_.forget(lock);
  limitNumbers();
}

CpStats Analysis::stats() const {
  CpStats s = stats_;
  s.races = reports_.races();
  s.unordered = reports_.unordered();
  s.openNow = solver_.openNow();
  s.unknownNow = solver_.openNow() + solver_.closedNow();
  s.deferredNow = solver_.checksNow();
  s.recordsNow = locks_.records();
  s.lanes = lanes_.size();
  return s;
}

}  // namespace predrace::cp
