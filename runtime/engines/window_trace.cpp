#include "runtime/engines/window_trace.h"

#include <algorithm>
#include <span>

#include "runtime/engines/contest.h"
#include "runtime/engines/habits.h"
#include "runtime/engines/lives.h"
#include "runtime/engines/lockset.h"

namespace predrace {
namespace {

bool isAcquire(Op op) { return op == Op::Acquire || op == Op::SharedAcquire; }
bool isRelease(Op op) { return op == Op::Release || op == Op::SharedRelease; }
bool isSharedSection(Op op) { return op == Op::SharedAcquire || op == Op::SharedRelease; }

template <class T>
T& grown(std::vector<T>& v, uint32_t number, const T& fresh = T()) {
  if (number >= v.size()) v.resize(number + number / 2 + 1, fresh);
  return v[number];
}

// The lock is taken (or no longer held) by this thread.
void step(std::vector<HeldLock>& held, Op op, uint32_t thread, uint32_t lock) {
  bool shared = isSharedSection(op);
  if (isAcquire(op)) return held.push_back({thread, lock, shared});
  auto at = std::ranges::find_if(
      held, [&](const HeldLock& h) { return h.thread == thread && h.lock == lock && h.shared == shared; });
  if (at != held.end()) held.erase(at);
}

// Do several threads use a thing?
class Users {
 public:
  void add(uint32_t thread) {
    several_ |= first_ != kNone && first_ != thread;
    first_ = thread;
  }
  bool several() const { return several_; }

 private:
  uint32_t first_ = kNone;
  bool several_ = false;
};

// What the log's numbers stand for. All passes over a window give the same identities.
struct Identities {
  VariableLives variables;
  Lives locks, channels, objects;

  explicit Identities(const LogWindow& window) {
    for (const HeldLock& h : window.held) locks.of(h.lock);
  }
  uint32_t targetOf(const LogEntry& e) {
    switch (familyOf(e.op())) {
      case Family::Variable:
        return variables.of(e.target);
      case Family::Lock:
        return locks.of(e.target);
      case Family::Channel:
        return channels.of(e.target);
      case Family::Object:
        return objects.of(e.target);
      case Family::Thread:
      case Family::None:
        return e.target;
    }
    return e.target;
  }
  // An entry that is no event.
  void apply(const LogEntry& e) {
    switch (e.kind()) {
      case LogEntry::kSplit:
        return variables.split(e.target, e.site);
      case LogEntry::kForgetVariable:
        return variables.forget(e.target);
      case LogEntry::kForgetLock:
        return locks.forget(e.target);
      case LogEntry::kForgetChannel:
        return channels.forget(e.target);
      case LogEntry::kForgetObject:
        return objects.forget(e.target);
      default:
        return;
    }
  }
};

// use(entry, identity of its target, index) for each event; control(entry, index of the event before) for
// the others, before they take effect.
template <class Use, class Control>
void replay(const LogWindow& window, Identities& ids, Use use, Control control) {
  for (const LogWindow::Part& part : window.parts) {
    uint64_t index = part.chunk->firstIndex;
    for (const LogEntry& e : std::span(part.chunk->entries, part.count)) {
      if (e.isEvent()) {
        use(e, ids.targetOf(e), index++);
      } else {
        control(e, index - 1);
        ids.apply(e);
      }
    }
  }
}
template <class Use>
void replay(const LogWindow& window, Identities& ids, Use use) {
  replay(window, ids, use, [](const LogEntry&, uint64_t) {});
}

// Which locks each thread holds, while events go by.
class LocksHeld {
 public:
  explicit LocksHeld(Locksets& locksets) : locksets_(locksets) {}

  uint32_t of(uint32_t thread) { return grown(threads_, thread).now; }
  void acquire(uint32_t thread, uint32_t lock, bool shared) {
    Thread& t = grown(threads_, thread);
    t.sections.push_back({lock, t.now});
    Taken& last = grown(taken_, lock << 1 | shared);
    if (last.from != t.now) last = {t.now, locksets_.with(t.now, lock, shared)};
    t.now = last.to;
  }
  void release(uint32_t thread, uint32_t lock, bool shared) {
    Thread& t = grown(threads_, thread);
    if (!t.sections.empty() && t.sections.back().lock == lock) {  // the usual case: sections nest
      t.now = t.sections.back().before;
      t.sections.pop_back();
    } else {
      t.now = locksets_.without(t.now, lock, shared);
      t.sections.clear();  // what was before them is not what is left
    }
  }

 private:
  struct Section {
    uint32_t lock, before;
  };
  struct Thread {
    uint32_t now = Locksets::kEmpty;
    std::vector<Section> sections;
  };
  struct Taken {
    uint32_t from = kNone, to = kNone;
  };
  Locksets& locksets_;
  std::vector<Thread> threads_;
  std::vector<Taken> taken_;  // by lock and mode: the last step
};

}  // namespace

class WindowTrace::Builder {
 public:
  Builder(const LogWindow& window, WindowTrace& out) : window_(window), out_(out), known_(window) {}

  void build(bool skipIfSafe) {
    look();
    if (skipIfSafe && !contested()) return;
    numberVariables();
    emit();
  }

 private:
  // First pass: who uses what, the parts of variables, and what their accesses have in common.
  void look() {
    replayWithLocks(
        known_,
        [&](const LogEntry& e, uint32_t target, uint32_t thread, uint32_t held) {
          switch (familyOf(e.op())) {
            case Family::Variable:
              return grown(habits_, target).add(e.op(), thread, held, locksets_);
            case Family::Channel:
              return grown(channelUsers_, target).add(thread);
            case Family::Object:
              return grown(objectUsers_, target).add(thread);
            default:
              return;
          }
        },
        [&](const LogEntry& e, uint64_t last) {
          if (e.kind() == LogEntry::kRacing) racing_.emplace_back(last - e.target - e.site, last - e.target);
          if (e.kind() != LogEntry::kSplit) return;
          // Both parts have what the whole had. They are the next identities.
          Habits whole = grown(habits_, known_.variables.of(e.target));
          uint32_t part = known_.variables.count();
          grown(habits_, part) = whole;
          grown(habits_, part + 1) = whole;
        });
    habits_.resize(known_.variables.count());
    objectUsers_.resize(known_.objects.count());
    channelUsers_.resize(known_.channels.count());
  }

  // use(entry, identity of its target, dense thread, locks held before it) for each event.
  template <class Use, class Control>
  void replayWithLocks(Identities& ids, Use use, Control control) {
    LocksHeld held(locksets_);
    for (const HeldLock& h : window_.held) held.acquire(denseOf(h.thread), ids.locks.of(h.lock), h.shared);
    replay(
        window_, ids,
        [&](const LogEntry& e, uint32_t target, uint64_t) {
          uint32_t t = denseOf(e.thread());
          use(e, target, t, held.of(t));
          if (isAcquire(e.op()))
            held.acquire(t, target, isSharedSection(e.op()));
          else if (isRelease(e.op()))
            held.release(t, target, isSharedSection(e.op()));
        },
        control);
  }

  // Second pass, if no lock protects some variable throughout: hard order may keep its accesses apart.
  bool contested() {
    auto isLeaf = [&](uint32_t v) { return known_.variables.isLeaf(v); };
    bool racy = false;
    for (uint32_t v = 0; v < habits_.size(); ++v) racy = racy || (isLeaf(v) && habits_[v].canRace());
    if (!racy) return false;
    racy = false;
    Contest contest(locksets_);
    Identities ids(window_);
    replayWithLocks(
        ids,
        [&](const LogEntry& e, uint32_t target, uint32_t t, uint32_t held) {
          if (racy) return;
          Event event{e.op(), t, target, e.site, 0};
          switch (familyOf(e.op())) {
            case Family::Variable:
              known_.variables.leaves(target, [&](uint32_t leaf) {
                event.target = leaf;
                racy = racy || (habits_[leaf].canRace() && contest.access(event, held));
              });
              return;
            case Family::Thread:
              event.target = grown(dense_, target, kNone);
              if (event.target != kNone) contest.synchronise(event);
              return;
            case Family::Channel:
              return contest.synchronise(event);
            default:
              return;
          }
        },
        [](const LogEntry&, uint64_t) {});
    return racy;
  }

  void numberVariables() {
    variable_.assign(known_.variables.count(), kNone);
    for (uint32_t v = 0; v < habits_.size(); ++v) {
      if (!known_.variables.isLeaf(v) || !habits_[v].shared()) continue;
      variable_[v] = static_cast<uint32_t>(out_.variables_.size());
      out_.variables_.push_back(known_.variables.numberOf(v));
    }
  }

  // Last pass: the events.
  void emit() {
    Identities ids(window_);
    for (uint32_t l = 0; l < known_.locks.count(); ++l) out_.locks_.push_back(known_.locks.numberOf(l));
    for (const HeldLock& h : window_.held) {
      uint32_t thread = denseOf(h.thread);  // it may have no events in the window
      out_.held_.push_back({thread, ids.locks.of(h.lock), h.shared});
    }
    out_.channels_ = known_.channels.count();
    begun_.assign(out_.threads_.size(), false);
    replay(window_, ids, [&](const LogEntry& e, uint32_t target, uint64_t index) { emit(e, target, index); });
    out_.hasPast_ = window_.firstIndex != 0;
    for (auto [first, second] : racing_) placeRacing(first, second);
  }

  // Each part of the second that races with a part of the first, or with something before the window.
  void placeRacing(uint64_t first, uint64_t second) {
    auto [i, iEnd] = out_.placesOf(first);
    auto [j, jEnd] = out_.placesOf(second);
    for (; j < jEnd; ++j) {
      if (first < window_.firstIndex) out_.racing_.push_back({std::nullopt, j});
      for (uint32_t k = i; k < iEnd; ++k)
        if (out_.events_[k].target == out_.events_[j].target) out_.racing_.push_back({k, j});
    }
  }

  void emit(const LogEntry& e, uint32_t target, uint64_t index) {
    uint32_t t = dense_[e.thread()];
    auto add = [&](Op op, uint32_t to, uint64_t piece = 0) {
      out_.events_.push_back({op, t, to, e.site, beginOf(index) + piece});
      begun_[t] = true;
    };
    Op op = e.op();
    switch (familyOf(op)) {
      case Family::Variable: {
        uint64_t piece = 0;
        known_.variables.leaves(target, [&](uint32_t leaf) {
          if (variable_[leaf] != kNone) add(op, variable_[leaf], piece++);
        });
        break;
      }
      case Family::Lock:
        add(op, target);
        break;
      case Family::Thread:
        if (uint32_t other = grown(dense_, target, kNone); other != kNone) add(op, other);
        break;
      case Family::Channel:
        if (channelUsers_[target].several()) add(op, target);
        break;
      case Family::Object:
        if (objectUsers_[target].several()) add(op, target);
        break;
      case Family::None:
        break;
    }
    // Fork and join order what comes before and behind a thread, even one that did nothing else.
    if (!begun_[t]) add(Op::Branch, 0);
  }

  uint32_t denseOf(uint32_t thread) {
    uint32_t& t = grown(dense_, thread, kNone);
    if (t == kNone) {
      t = static_cast<uint32_t>(out_.threads_.size());
      out_.threads_.push_back(thread);
    }
    return t;
  }

  const LogWindow& window_;
  WindowTrace& out_;
  Identities known_;             // of the whole window: its variables know their parts
  std::vector<uint32_t> dense_;  // by thread, kNone if it has no events
  Locksets locksets_;
  std::vector<Habits> habits_;  // by identity
  std::vector<Users> objectUsers_, channelUsers_;
  std::vector<std::pair<uint64_t, uint64_t>> racing_;  // indices
  std::vector<uint32_t> variable_, lock_;              // dense numbers by identity, kNone if left out
  std::vector<bool> begun_;                            // by dense thread
};

WindowTrace::WindowTrace(const LogWindow& window, bool skipIfSafe) {
  Builder(window, *this).build(skipIfSafe);
}

uint32_t WindowTrace::affordable(size_t bytes) const {
  constexpr size_t kEvent = 128;  // in a RecordedTrace, its checker and its engines; measured 60 to 150
  size_t row = 2 * sizeof(uint32_t) * threads_.size(), used = 0;
  for (uint32_t place = size(); place > 0; --place) {
    const Event& e = events_[place - 1];
    used += kEvent + (isAcquire(e.op) || e.op == Op::Receive || isAtomic(e.op) ? row
                      : reads(e.op)                                            ? row / 2
                                                                               : 0);
    if (used > bytes) return place;
  }
  return 0;
}

std::pair<uint32_t, uint32_t> WindowTrace::placesOf(uint64_t origin) const {
  auto first = std::ranges::lower_bound(events_, beginOf(origin), {}, &Event::index);
  auto past = std::ranges::lower_bound(first, events_.end(), endOf(origin), {}, &Event::index);
  return {static_cast<uint32_t>(first - events_.begin()), static_cast<uint32_t>(past - events_.begin())};
}

std::vector<Event> WindowTrace::from(uint32_t place) const {
  std::vector<HeldLock> held = held_;
  for (uint32_t i = 0; i < place; ++i)
    if (isAcquire(events_[i].op) || isRelease(events_[i].op))
      step(held, events_[i].op, events_[i].thread, events_[i].target);
  std::vector<Event> out;
  if (!held.empty()) {
    out.reserve(events_.size() - place + held.size() + 2 * threads_.size());
    auto add = [&](Op op, uint32_t thread, uint32_t target) {
      out.push_back({op, thread, target, 0, out.size()});
    };
    std::vector<bool> holds(threads_.size()), forked(threads_.size());
    for (const HeldLock& h : held) {
      add(h.shared ? Op::SharedAcquire : Op::Acquire, h.thread, h.lock);
      holds[h.thread] = true;
    }
    for (uint32_t i = place; i < size(); ++i)
      if (events_[i].op == Op::Fork) forked[events_[i].target] = true;
    for (uint32_t t = 0; t < holds.size(); ++t)
      if (holds[t]) add(Op::Send, t, channels_);
    for (uint32_t t = 0; t < forked.size(); ++t)
      if (!forked[t]) add(Op::Receive, t, channels_);
  }
  out.insert(out.end(), events_.begin() + place, events_.end());
  return out;
}

}  // namespace predrace
