#include "runtime/engines/recorded_trace.h"

namespace predrace {
namespace {

// Grows to have the number.
template <class T>
T& grown(std::vector<T>& v, uint32_t number, const T& fresh) {
  if (number >= v.size()) v.resize(number + 1, fresh);
  return v[number];
}

void raise(std::span<uint32_t> mine, std::span<const uint32_t> theirs) {
  for (size_t u = 0; u < mine.size(); ++u) mine[u] = std::max(mine[u], theirs[u]);
}

uint32_t threadsOf(const std::vector<Event>& events) {
  uint32_t threads = 0;
  for (const Event& e : events) threads = std::max(threads, e.thread + 1);
  return threads;
}

// The first of the sorted ids after `id` if the cut has it.
bool hasAfter(const std::vector<uint32_t>& ids, uint32_t id, uint32_t firstOutside) {
  auto next = std::upper_bound(ids.begin(), ids.end(), id);
  return next != ids.end() && *next < firstOutside;
}

}  // namespace

void PastTable::follow(std::span<const uint32_t> places) {
  std::span<const uint32_t> now = row(current_[thread_]);
  for (uint32_t u = 0; u < threads_; ++u) {
    if (u == thread_ || places[u] <= now[u]) continue;
    raise({renew(), threads_}, places);
    return;
  }
}

void PastTable::follow(uint32_t thread, uint32_t place, uint32_t source) {
  if (thread == thread_ || row(current_[thread_])[thread] > place) return;
  uint32_t* mine = renew();
  raise({mine, threads_}, row(source));
  mine[thread] = place + 1;
}

uint32_t* PastTable::renew() {
  if (!fresh_) {
    fresh_ = true;
    size_t old = size_t{current_[thread_]} * threads_;
    current_[thread_] = static_cast<uint32_t>(rows_.size() / threads_);
    rows_.resize(rows_.size() + threads_);
    std::copy_n(rows_.begin() + static_cast<ptrdiff_t>(old), threads_, rows_.end() - threads_);
  }
  return rows_.data() + size_t{current_[thread_]} * threads_;
}

// What is known of the trace up to the event that is being added.
struct RecordedTrace::Building {
  struct Sent {
    Cut trf, hb;
  };
  std::vector<uint32_t> held;        // by thread: its row of held acquires
  std::vector<uint32_t> forks;       // by thread
  std::vector<uint32_t> writers;     // by variable: the last one
  std::vector<uint32_t> atomics;     // by variable: the last atomic access
  std::vector<uint32_t> operations;  // by object: the last at
  std::vector<Sent> sent;            // by channel
  std::vector<uint32_t> scratch;
};

RecordedTrace::RecordedTrace(std::vector<Event> events)
    : events_(std::move(events)), byThread_(threadsOf(events_)), trf_(threads()), hb_(threads()) {
  place_.reserve(events_.size());
  link_.assign(events_.size(), kNone);
  held_.reserve(events_.size());
  forkOf_.assign(threads(), kNone);
  heldBegin_ = {0, 0};
  heldLocksets_ = {Locksets::kEmpty};
  Building b;
  b.held.assign(threads(), 0);
  for (uint32_t i = 0; i < size(); ++i) add(i, b);
  for (Lock& l : locks_) l.sharedReleases = Cut();
}

void RecordedTrace::add(uint32_t i, Building& b) {
  const Event& e = events_[i];
  auto follow = [&](uint32_t p) { trf_.follow(events_[p].thread, place_[p], trf_.rowOf(p)); };
  auto followHard = [&](uint32_t p) {
    follow(p);
    hb_.follow(events_[p].thread, place_[p], hb_.rowOf(p));
  };
  std::vector<uint32_t>& mine = byThread_[e.thread];
  place_.push_back(static_cast<uint32_t>(mine.size()));
  trf_.begin(e.thread);
  hb_.begin(e.thread);
  if (mine.empty() && e.thread < b.forks.size() && b.forks[e.thread] != kNone)
    followHard(forkOf_[e.thread] = b.forks[e.thread]);
  mine.push_back(i);

  if (isAccess(e.op)) {
    variables_ = std::max(variables_, e.target + 1);
    if (isAtomic(e.op)) {
      keepAfter(i, grown(b.atomics, e.target, kNone));
    }
    uint32_t& writer = grown(b.writers, e.target, kNone);
    if (reads(e.op) && writer != kNone) follow(link_[i] = writer);
    if (writes(e.op)) writer = i;
  } else {
    switch (e.op) {
      case Op::Acquire:
      case Op::SharedAcquire:
        acquire(i, b);
        break;
      case Op::Fork:
        grown(b.forks, e.target, kNone) = i;
        break;
      case Op::Join:
        if (e.target < threads() && !byThread_[e.target].empty()) followHard(byThread_[e.target].back());
        break;
      case Op::Receive: {
        Building::Sent& s = grown(b.sent, e.target, {});
        if (s.trf.empty()) break;
        trf_.follow(s.trf);
        hb_.follow(s.hb);
        break;
      }
      case Op::At:
        keepAfter(i, grown(b.operations, e.target, kNone));
        break;
      default:
        break;
    }
  }
  trf_.end();
  hb_.end();
  if (e.op == Op::Send) {
    Building::Sent& s = grown(b.sent, e.target, {});
    if (s.trf.empty()) s = {none(), none()};
    raise(s.trf, trf_.row(trf_.rowOf(i)));
    raise(s.hb, hb_.row(hb_.rowOf(i)));
    s.trf[e.thread] = s.hb[e.thread] = place_[i] + 1;
  } else if (isRelease(e.op)) {
    release(i, b);
  }
  held_.push_back(b.held[e.thread]);
}

void RecordedTrace::keepAfter(uint32_t i, uint32_t& last) {
  if (last != kNone) {
    kept_.emplace_back(i, last);
    trf_.follow(events_[last].thread, place_[last], trf_.rowOf(last));
  }
  last = i;
}

RecordedTrace::Use& RecordedTrace::useBy(uint32_t lock, uint32_t thread) {
  Lock& l = locks_[lock];
  uint32_t& place = grown(l.useOf, thread, kNone);
  if (place == kNone) {
    place = static_cast<uint32_t>(l.uses.size());
    l.uses.push_back({thread, {}, {}});
  }
  return l.uses[place];
}

void RecordedTrace::acquire(uint32_t i, Building& b) {
  const Event& e = events_[i];
  bool shared = e.op == Op::SharedAcquire;
  Lock& l = grown(locks_, e.target, {});
  if (l.lastExclusive != kNone)
    hb_.follow(events_[l.lastExclusive].thread, place_[l.lastExclusive], hb_.rowOf(l.lastExclusive));
  if (!shared && !l.sharedReleases.empty()) hb_.follow(l.sharedReleases);
  Use& use = useBy(e.target, e.thread);
  (shared ? use.shared : use.exclusive).push_back(i);
  uint32_t& held = b.held[e.thread];
  b.scratch.assign(heldAcquires_.begin() + heldBegin_[held], heldAcquires_.begin() + heldBegin_[held + 1]);
  b.scratch.push_back(i);
  uint32_t lockset = locksets_.with(heldLocksets_[held], e.target, shared);
  hold(i, b);
  heldLocksets_.push_back(lockset);
}

void RecordedTrace::release(uint32_t i, Building& b) {
  const Event& e = events_[i];
  bool shared = e.op == Op::SharedRelease;
  uint32_t held = b.held[e.thread];
  b.scratch.clear();
  for (uint32_t a :
       std::span(heldAcquires_).subspan(heldBegin_[held], heldBegin_[held + 1] - heldBegin_[held])) {
    const Event& acquired = events_[a];
    if (acquired.target == e.target && (acquired.op == Op::SharedAcquire) == shared) {
      link_[a] = i;
      link_[i] = a;
    } else {
      b.scratch.push_back(a);
    }
  }
  uint32_t lockset = locksets_.without(heldLocksets_[held], e.target, shared);
  hold(i, b);
  heldLocksets_.push_back(lockset);
  Lock& l = locks_[e.target];
  if (!shared) {
    l.lastExclusive = i;
    return;
  }
  if (l.sharedReleases.empty()) l.sharedReleases = none();
  raise(l.sharedReleases, hb_.row(hb_.rowOf(i)));
  l.sharedReleases[e.thread] = place_[i] + 1;
}

// The event's thread now holds what is in scratch.
void RecordedTrace::hold(uint32_t i, Building& b) {
  b.held[events_[i].thread] = static_cast<uint32_t>(heldBegin_.size() - 1);
  heldAcquires_.insert(heldAcquires_.end(), b.scratch.begin(), b.scratch.end());
  heldBegin_.push_back(static_cast<uint32_t>(heldAcquires_.size()));
}

uint32_t RecordedTrace::keptBefore(uint32_t i) const {
  auto found = std::lower_bound(kept_.begin(), kept_.end(), std::pair(i, 0u));
  return found != kept_.end() && found->first == i ? found->second : kNone;
}

bool RecordedTrace::include(Cut& c, uint32_t i) const {
  uint32_t& own = c[events_[i].thread];
  if (place_[i] < own) return false;
  own = place_[i] + 1;
  raise(c, trf_.row(trf_.rowOf(i)));
  return true;
}

void RecordedTrace::includeBefore(Cut& c, uint32_t i) const {
  uint32_t thread = events_[i].thread;
  if (place_[i] > 0)
    include(c, byThread_[thread][place_[i] - 1]);
  else if (forkOf_[thread] != kNone)
    include(c, forkOf_[thread]);
  if (uint32_t kept = isAtomic(events_[i].op) ? keptBefore(i) : kNone; kept != kNone) include(c, kept);
}

bool RecordedTrace::mustPrecede(uint32_t i, uint32_t j) const {
  uint32_t thread = events_[j].thread;
  uint32_t before = place_[j] > 0 ? byThread_[thread][place_[j] - 1] : forkOf_[thread];
  if (before != kNone && inPast(i, before)) return true;
  uint32_t kept = isAtomic(events_[j].op) ? keptBefore(j) : kNone;
  return kept != kNone && inPast(i, kept);
}

std::vector<uint32_t> RecordedTrace::eventsIn(const Cut& c) const {
  std::vector<uint32_t> out;
  for (uint32_t t = 0; t < threads(); ++t)
    out.insert(out.end(), byThread_[t].begin(), byThread_[t].begin() + c[t]);
  std::sort(out.begin(), out.end());
  return out;
}

std::span<const uint32_t> RecordedTrace::openAfter(uint32_t thread, uint32_t count) const {
  if (count == 0) return {};
  uint32_t held = held_[byThread_[thread][count - 1]];
  return std::span(heldAcquires_).subspan(heldBegin_[held], heldBegin_[held + 1] - heldBegin_[held]);
}

bool RecordedTrace::takenLater(const Cut& c, uint32_t acquire) const {
  const Event& e = events_[acquire];
  for (const Use& use : locks_[e.target].uses) {
    if (use.thread == e.thread || c[use.thread] == 0) continue;
    std::span<const uint32_t> all = byThread_[use.thread];
    uint32_t outside = c[use.thread] < all.size() ? all[c[use.thread]] : size();
    if (hasAfter(use.exclusive, acquire, outside)) return true;
    if (e.op == Op::Acquire && hasAfter(use.shared, acquire, outside)) return true;
  }
  return false;
}

Race RecordedTrace::raceOf(uint32_t i, uint32_t j) const {
  auto access = [&](uint32_t k) {
    const Event& e = events_[k];
    return RacingAccess{e.index, e.thread, e.site, locksetAt(k), e.op};
  };
  return {.first = access(i),
          .second = access(j),
          .variable = events_[j].target,
          .unordered = !happensBefore(i, j),
          .firstOnVariable = false,
          .handOver = {}};
}

size_t RecordedTrace::memoryBytes() const {
  size_t words = place_.capacity() + link_.capacity() + held_.capacity() + heldAcquires_.capacity() +
                 heldBegin_.capacity() + heldLocksets_.capacity() + 2 * kept_.capacity() + size();
  for (const Lock& l : locks_) {
    words += l.useOf.capacity();
    for (const Use& u : l.uses) words += u.exclusive.capacity() + u.shared.capacity() + sizeof(Use) / 4;
  }
  return events_.capacity() * sizeof(Event) + words * sizeof(uint32_t) + trf_.memoryBytes() +
         hb_.memoryBytes() + locksets_.memoryBytes();
}

}  // namespace predrace
