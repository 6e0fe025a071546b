#include "runtime/engines/check.h"

#include <algorithm>

namespace predrace {
namespace {

uint32_t& counter(std::vector<uint32_t>& counters, uint32_t number, uint32_t fresh = 0) {
  if (number >= counters.size()) counters.resize(number + 1, fresh);
  return counters[number];
}

bool conflict(const Event& a, const Event& b) {
  return isAccess(a.op) && isAccess(b.op) && a.target == b.target && a.thread != b.thread &&
         (writes(a.op) || writes(b.op)) && !(isAtomic(a.op) && isAtomic(b.op));
}

std::string at(uint64_t index, const char* reason) {
  return "event " + std::to_string(index) + ": " + reason;
}

}  // namespace

WitnessChecker::WitnessChecker(std::span<const Event> events)
    : events_(events), place_(events.size()), needs_(events.size()), writer_(events.size(), kNone) {
  std::vector<uint32_t> done, sends, kept, atomics, forks, lastWriters;
  for (uint32_t i = 0; i < events.size(); ++i) {
    const Event& e = events[i];
    place_[i] = counter(done, e.thread)++;
    if (place_[i] == 0) counter(forks_, e.thread, kNone) = counter(forks, e.thread, kNone);
    if (isAtomic(e.op)) needs_[i] = counter(atomics, e.target)++;
    if (reads(e.op)) writer_[i] = counter(lastWriters, e.target, kNone);
    if (writes(e.op)) counter(lastWriters, e.target, kNone) = i;
    if (e.op == Op::At) needs_[i] = counter(kept, e.target)++;
    if (e.op == Op::Send) needs_[i] = counter(sends, e.target)++;
    if (e.op == Op::Receive) needs_[i] = counter(sends, e.target);
    if (e.op == Op::Join) needs_[i] = counter(done, e.target);
    if (e.op == Op::Fork) counter(forks, e.target, kNone) = i;
  }
}

uint32_t WitnessChecker::find(uint64_t index) const {
  if (index < events_.size() && events_[index].index == index) return static_cast<uint32_t>(index);
  auto found = std::ranges::lower_bound(events_, index, {}, &Event::index);
  return found != events_.end() && found->index == index ? static_cast<uint32_t>(found - events_.begin())
                                                         : kNone;
}

const char* WitnessChecker::refuse(uint32_t event) {
  const Event& e = events_[event];
  if (places_.at(e.thread, schedule_) != place_[event]) return "is not the next one of its thread";
  if (place_[event] == 0 && forks_[e.thread] != kNone) {
    const Event& fork = events_[forks_[e.thread]];
    if (places_.at(fork.thread, schedule_) <= place_[forks_[e.thread]])
      return "comes before the fork of its thread";
  }
  if (isAtomic(e.op) && atomics_.at(e.target, schedule_) != needs_[event])
    return "is out of order among the atomic accesses of its variable";
  return isAccess(e.op) ? nullptr : refuseSynchronisation(e, event);
}

const char* WitnessChecker::refuseSynchronisation(const Event& e, uint32_t event) {
  switch (e.op) {
    case Op::Acquire: {
      const Lock& l = locks_.at(e.target, schedule_);
      bool others = std::ranges::any_of(l.readers, [&](uint32_t t) { return t != e.thread; });
      return l.owner != kNone || others ? "takes a lock that is held" : nullptr;
    }
    case Op::SharedAcquire: {
      uint32_t owner = locks_.at(e.target, schedule_).owner;
      return owner != kNone && owner != e.thread ? "takes a lock that is held" : nullptr;
    }
    case Op::Release:
      return locks_.at(e.target, schedule_).owner != e.thread ? "releases a lock that it does not hold"
                                                              : nullptr;
    case Op::SharedRelease:
      return std::ranges::count(locks_.at(e.target, schedule_).readers, e.thread) == 0
                 ? "releases a lock that it does not hold"
                 : nullptr;
    case Op::Join:
      return places_.at(e.target, schedule_) < needs_[event] ? "joins a thread that has not ended" : nullptr;
    case Op::Receive:
      return channels_.at(e.target, schedule_).all < needs_[event] ? "receives what was not sent" : nullptr;
    case Op::At:
      return kept_.at(e.target, schedule_) != needs_[event]
                 ? "is out of order among the operations on its object"
                 : nullptr;
    default:
      return nullptr;
  }
}

void WitnessChecker::apply(uint32_t event) {
  const Event& e = events_[event];
  ++places_.at(e.thread, schedule_);
  if (isAtomic(e.op)) ++atomics_.at(e.target, schedule_);
  if (writes(e.op)) writers_.at(e.target, schedule_).event = event;
  switch (e.op) {
    case Op::Acquire:
      locks_.at(e.target, schedule_).owner = e.thread;
      break;
    case Op::Release:
      locks_.at(e.target, schedule_).owner = kNone;
      break;
    case Op::SharedAcquire:
      locks_.at(e.target, schedule_).readers.push_back(e.thread);
      break;
    case Op::SharedRelease: {
      std::vector<uint32_t>& readers = locks_.at(e.target, schedule_).readers;
      readers.erase(std::ranges::find(readers, e.thread));
      break;
    }
    case Op::At:
      ++kept_.at(e.target, schedule_);
      break;
    case Op::Send: {
      Channel& c = channels_.at(e.target, schedule_);
      if (needs_[event] >= c.later.size()) c.later.resize(needs_[event] + 1);
      c.later[needs_[event]] = true;
      while (c.all < c.later.size() && c.later[c.all]) ++c.all;
      break;
    }
    default:
      break;
  }
}

std::string WitnessChecker::check(std::span<const uint64_t> schedule, uint64_t first, uint64_t second) {
  ++schedule_;
  for (uint64_t index : schedule) {
    uint32_t event = find(index);
    if (event == kNone) return at(index, "is not in the trace");
    if (const char* reason = refuse(event)) return at(index, reason);
    const Event& e = events_[event];
    if (reads(e.op) && writers_.at(e.target, schedule_).event != writer_[event])
      return at(index, "reads another value than in the trace");
    apply(event);
  }
  uint32_t a = find(first), b = find(second);
  if (a == kNone || b == kNone) return "an access is not in the trace";
  if (!conflict(events_[a], events_[b])) return "the two events do not conflict";
  for (uint32_t event : {a, b})
    if (const char* reason = refuse(event)) return at(events_[event].index, reason);
  return "";
}

}  // namespace predrace
