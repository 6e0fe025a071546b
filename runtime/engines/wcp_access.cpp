// The access path: rule (a), the check against P, and what is kept of the access.
#include <algorithm>
#include <functional>

#include "runtime/engines/wcp_analysis.h"

namespace predrace::wcp {

void Analysis::on(const Event& e) {
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
      return acquire(t, e.target, false);
    case Op::Release:
      return release(t, e.target, false);
    case Op::SharedAcquire:
      return acquire(t, e.target, true);
    case Op::SharedRelease:
      return release(t, e.target, true);
    case Op::Fork:
      return fork(t, e.target);
    case Op::Join:
      return join(t, e.target);
    case Op::Send:
      return send(t, e.target);
    case Op::Receive:
      return receive(t, e.target);
    case Op::At:
      if (!t.held.empty()) conflictsInSections(t, objects_.rules(e.target), cp::PlainWrite);
      return;
    case Op::End:
      return end(t);
    case Op::Begin:
    case Op::Branch:
    case Op::Inner:
      return;
  }
}

void Analysis::access(Thread& t, const Event& e) {
  Kind kind = cp::kindOf(e.op);
  auto [v, rules] = variables_.access(e.target, !t.held.empty());
  // Nobody else was here since this lane's own access, and that one raced with nothing.
  bool again = v.segment == t.segment && v.lane == t.lane;
  if (again && (v.done & cp::kCoveredBy[kind])) return;
  if (rules) conflictsInSections(t, *rules, kind);
  bool clean = check(t, v, e, kind);
  Access& mine = variables_.replace(v, [&](const Access& a) {
    return (cp::kCovers[kind] & cp::bit(cp::kindOf(a.op))) && (a.lane == t.lane || a.epoch <= t.P[a.lane]);
  });
  mine.index = e.index;
  mine.site = e.site;
  mine.lockset = kNone;
  mine.epoch = t.own;
  mine.lane = static_cast<uint16_t>(t.lane);
  mine.op = e.op;
  uint8_t before = again ? v.done : 0;
  v.segment = t.segment;
  v.lane = static_cast<uint16_t>(t.lane);
  v.done = clean ? before | cp::bit(kind) : 0;
}

void Analysis::give(Thread& t, uint32_t list, uint32_t section) {
  const Section* s = locks_[list].find(section);
  if (s && !s->within(t.P)) s->joinInto(pool_, t.P);
}

void Analysis::conflictsInSections(Thread& t, Rules& rules, Kind kind) {
  cp::Class mine = cp::kClass[kind];
  for (Hold& h : t.held) {
    Variables::OfLock own = Variables::findRules(rules, h.list);
    // Said before in this section; and a write says more than a read.
    auto said = [&](cp::Class c) { return own.classes[c] && own.classes[c]->last == h.section; };
    if (said(mine) || said(cp::Writes)) continue;
    auto lastByOther = [&](const Variables::OfLock& seen) {
      uint32_t last = 0;
      for (cp::Class c : {cp::Writes, cp::PlainReads, cp::AtomicReads})
        if ((cp::kDepends[kind] >> c & 1) && seen.classes[c])
          last = std::max(last, seen.classes[c]->byOther(t.lane));
      return last;
    };
    uint32_t last = h.shared ? lastByOther(Variables::findRules(rules, h.main)) : lastByOther(own);
    if (last > h.given) {
      h.given = last;
      give(t, h.main, last);
    }
    if (!h.shared && !locks_[h.main].readers.empty()) [[unlikely]]
      conflictsOfReaders(t, locks_[h.main], rules, kind);
    Rule* r = own.classes[mine];
    if (!r) [[unlikely]]
      r = &variables_.addRule(rules, Rule::keyOf(h.list, mine), [&](const Rule& x) { return dead(x); });
    r->record(t.lane, h.section);
  }
}

// An access in an exclusive section, against the shared sections of all others.
void Analysis::conflictsOfReaders(Thread& t, const Lock& main, Rules& rules, Kind kind) {
  for (auto [lane, list] : main.readers) {
    if (lane == t.lane) continue;
    Variables::OfLock theirs = Variables::findRules(rules, list);
    for (cp::Class c : {cp::Writes, cp::PlainReads, cp::AtomicReads})
      if ((cp::kDepends[kind] >> c & 1) && theirs.classes[c] && !dead(*theirs.classes[c]))
        give(t, list, theirs.classes[c]->last);
  }
}

// True if it races with nothing.
bool Analysis::check(Thread& t, Variable& v, const Event& e, Kind kind) {
  bool clean = true;
  Variables::forEach(v, [&](const Access& a) {
    if (a.lane != t.lane && (cp::kConflicts[kind] & cp::bit(cp::kindOf(a.op))))
      clean &= a.epoch <= t.P[a.lane];
  });
  if (!clean) [[unlikely]]
    report(t, v, e, kind);
  return clean;
}

void Analysis::report(const Thread& t, Variable& v, const Event& e, Kind kind) {
  absl::InlinedVector<Access, 4> racing;
  Variables::forEach(v, [&](const Access& a) {
    if (a.lane != t.lane && (cp::kConflicts[kind] & cp::bit(cp::kindOf(a.op))) && a.epoch > t.P[a.lane])
      racing.push_back(a);
  });
  std::ranges::sort(racing, std::greater(), &Access::index);
  for (const Access& a : racing) {
    sink_({.first = {a.index, lanes_.threadAt(a.lane, a.epoch), a.site, kNone, a.op},
           .second = {e.index, e.thread, e.site, kNone, e.op},
           .variable = e.target,
           .unordered = a.epoch > t.H[a.lane],
           .firstOnVariable = !v.raced,
           .handOver = {}});
    v.raced = true;
  }
}

}  // namespace predrace::wcp
