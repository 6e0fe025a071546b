// The access path: rule (a), the check against C, and what is kept of the access.
#include <algorithm>

#include "runtime/engines/cp_analysis.h"

namespace predrace::cp {

void Analysis::on(const Event& e) {
  ++stats_.events;
  Thread& t = threadOf(e.thread);
  switch (e.op) {
    case Op::Read:
    case Op::Write:
    case Op::Update:
    case Op::AtomicRead:
    case Op::AtomicWrite:
    case Op::AtomicUpdate:
      return access(t, e);
    case Op::Acquire:
      return acquire(t, e, false);
    case Op::Release:
      return release(t, e.target, false, e.site);
    case Op::SharedAcquire:
      return acquire(t, e, true);
    case Op::SharedRelease:
      return release(t, e.target, true, e.site);
    case Op::Fork:
      return fork(t, e.target);
    case Op::Join:
      return join(t, e.target);
    case Op::Send:
      return send(t, e.target);
    case Op::Receive:
      return receive(t, e.target);
    case Op::At:
      if (!t.held.empty()) conflictsInSections(t, objects_.rules(e.target), PlainWrite);
      return decideReady();
    case Op::End:
      return end(t);
    case Op::Begin:
    case Op::Branch:
    case Op::Inner:
      return;
  }
}

void Analysis::access(Thread& t, const Event& e) {
  ++stats_.accesses;
  Kind kind = kindOf(e.op);
  bool held = !t.held.empty();
  auto [v, rules] = variables_.access(e.target, held);
  if (v.segment == t.segment && v.lane == t.lane && (v.done & kCoveredBy[kind])) return repeat(v, t, e, kind);
  if (held) {
    conflictsInSections(t, *rules, kind);
    decideReady();
  }
  settle(t);
  bool clean = true;
  Access& mine = variables_.replace(v, [&](const Access& a) {
    uint8_t its = bit(kindOf(a.op));
    bool ordered = (a.lane == t.lane) | (a.epoch <= t.C[a.lane]);
    clean &= ordered | !(kConflicts[kind] & its);
    return ordered & ((kCovers[kind] & its) != 0);
  });
  mine.index = e.index;
  mine.site = e.site;
  mine.lockset = t.lockset;
  mine.epoch = t.own;
  mine.lane = static_cast<uint16_t>(t.lane);
  mine.op = e.op;
  uint8_t before = v.segment == t.segment && v.lane == t.lane ? v.done : 0;
  v.segment = t.segment;
  v.lane = static_cast<uint16_t>(t.lane);
  v.done = clean ? before | bit(kind) : 0;
  if (!clean) [[unlikely]]
    suspect(t, v, e, kind);
}

// Nobody else was here since this lane's own access, and that one raced with nothing.
void Analysis::repeat(Variable& v, Thread& t, const Event& e, Kind kind) {
  ++stats_.fast;
  if (!(v.done & bit(kind))) return;
  Variables::forEach(v, [&](Access& a) {
    if (a.lane != t.lane || kindOf(a.op) != kind) return;
    a.index = e.index;
    a.site = e.site;
    a.op = e.op;
  });
}

bool Analysis::dead(const Rule& r) {
  const Lock& l = locks_[r.lock()];
  return l.readers.empty() && r.last <= l.latestJ();
}

void Analysis::conflictsInSections(Thread& t, Rules& rules, Kind kind) {
  Class mine = kClass[kind];
  for (Hold& h : t.held) {
    Variables::OfLock own = Variables::findRules(rules, h.lock);
    // Said before in this section; and a write says more than a read.
    auto said = [&](Class c) {
      return own.classes[c] && own.classes[c]->last == h.k && own.classes[c]->lastLane == t.lane;
    };
    if (said(mine) || said(Writes)) continue;
    // Not a copy of `own`: one 16-byte load of what was just stored in parts stalls.
    // Measured 2026-11-18, tools/bench's sharded_locks: an eighth of the engine's time.
    const Variables::OfLock* seen = &own;
    Variables::OfLock inheritedToo;
    if (h.parent) [[unlikely]] {
      inheritedToo = own;
      seen = &inheritedToo;
      // An l@t that has no rule of its own yet has its parent's, if that is as old.
      Variables::OfLock parents = Variables::findRules(rules, h.parent);
      uint32_t inherited = locks_[h.lock].inherited;
      for (Class c : {Writes, PlainReads, AtomicReads})
        if (!own.classes[c] && parents.classes[c] && parents.classes[c]->last <= inherited)
          inheritedToo.classes[c] = parents.classes[c];
    }
    if (h.alone || (h.unknown && !h.unknown->final)) {
      uint32_t J = h.alone ? h.J : h.unknown->J, j = J;
      for (Class c : {Writes, PlainReads, AtomicReads})
        if ((kDepends[kind] >> c & 1) && seen->classes[c]) j = std::max(j, seen->classes[c]->byOther(t.lane));
      if (j > J) raise(t, h, j);
    }
    Rule* r = own.classes[mine];
    if (!r) [[unlikely]] {
      Rule start = seen->classes[mine] ? *seen->classes[mine] : Rule{};
      start.key = Rule::keyOf(h.lock, mine);
      r = &variables_.addRule(rules, start.key, [&](const Rule& x) { return dead(x); });
      *r = start;
    }
    r->record(t.lane, h.k);
  }
}

// Not ordered after something that it conflicts with, as far as is known.
void Analysis::suspect(Thread& t, Variable& v, const Event& e, Kind kind) {
  publish(t);
  settle(t);
  absl::InlinedVector<Access, 4> suspects;
  Variables::forEach(v, [&](const Access& a) {
    if (a.lane != t.lane && (kConflicts[kind] & bit(kindOf(a.op))) && a.epoch > t.C[a.lane])
      suspects.push_back(a);
  });
  std::ranges::sort(suspects, std::greater(), &Access::index);
  RacingAccess second{e.index, e.thread, e.site, t.lockset, e.op};
  bool now = t.U.empty() && !v.queued;
  for (const Access& a : suspects) {
    bool unordered = a.epoch > t.H[a.lane];
    if (now || unordered) reports_.report(e.target, second, t.lane, a, unordered);
  }
  if (now) return;
  Check* c = nullptr;
  for (const Access& a : suspects) {
    if (a.epoch > t.H[a.lane]) continue;
    if (!c) c = reports_.enqueue(e.target);
    c->suspects.push_back(a);
  }
  if (!c) return;
  c->second = second;
  c->lane = t.lane;
  if (t.U.empty()) return reports_.decided(c);
  ++stats_.deferred;
  c->C = t.C;
  c->U = t.U;
  solver_.wait(c, t.U);
  limitWaiting();
}

bool Analysis::covered(const Check& c, const Access& a) {
  if (a.epoch <= c.C[a.lane]) return true;
  for (const Unknown* u : c.U)
    if (u->given && a.epoch <= u->given[a.lane]) return true;
  return false;
}

void Analysis::decideReady() {
  std::vector<Check*>& ready = solver_.ready();
  if (ready.empty()) [[likely]]
    return;
  std::ranges::sort(ready, std::less(), [](const Check* c) { return c->second.index; });
  for (Check* c : ready) {
    auto gone = std::remove_if(c->suspects.begin(), c->suspects.end(),
                               [&](const Access& a) { return covered(*c, a); });
    c->suspects.erase(gone, c->suspects.end());
    reports_.decided(c);
  }
  ready.clear();
}

}  // namespace predrace::cp
