#include "runtime/trace/admission.h"

namespace predrace {

void Admission::grow() {
  if (lives_.size() < names_.threads.size()) lives_.resize(names_.threads.size(), Life::New);
  if (locks_.size() < names_.locks.size()) {
    locks_.resize(names_.locks.size());
    held_.resize(names_.locks.size() + 1);
  }
}

Admission::Lock Admission::lockOf(uint32_t number) const {
  uint32_t held = held_[number + 1];
  if (held == kSeeLock) return locks_[number];
  return held == 0 ? Lock() : Lock{.owner = held - 1, .depth = 1};
}

void Admission::setLock(uint32_t number, Lock lock) {
  locks_[number] = lock;
  if (lock.owner == kFree && lock.readers == 0)
    held_[number + 1] = 0;
  else
    held_[number + 1] = lock.owner != kFree && lock.depth == 1 ? lock.owner + 1 : kSeeLock;
}

std::string Admission::admit(Event* e) {
  Life& life = lives_[e->thread];
  if (life == Life::Joined) return thread(e->thread) + " has been joined";
  if (life == Life::Ended) return thread(e->thread) + " has ended";
  life = e->op == Op::End ? Life::Ended : Life::Running;
  switch (e->op) {
    case Op::Fork: {
      Life& child = lives_[e->target];
      if (child == Life::Forked) return thread(e->target) + " was forked before";
      if (child != Life::New) return thread(e->target) + " was running before its fork";
      child = Life::Forked;
      return {};
    }
    case Op::Join:
      if (e->target == e->thread) return thread(e->thread) + " joins itself";
      lives_[e->target] = Life::Joined;
      return {};
    case Op::Acquire:
    case Op::SharedAcquire:
      return admitAcquire(e);
    case Op::Release:
    case Op::SharedRelease:
      return admitRelease(e);
    case Op::Read:
    case Op::Write:
    case Op::Update:
    case Op::AtomicRead:
    case Op::AtomicWrite:
    case Op::AtomicUpdate:
    case Op::Send:
    case Op::Receive:
    case Op::At:
    case Op::Begin:
    case Op::End:
    case Op::Branch:
    case Op::Inner:
      return {};
  }
  return {};
}

// The least one, so that a message does not depend on a hash.
std::string Admission::aReaderOf(uint32_t lock) const {
  uint32_t least = kFree;
  for (const auto& [key, depth] : depths_)
    if (key >> 32 == lock && static_cast<uint32_t>(key) < least) least = static_cast<uint32_t>(key);
  return name(least);
}

std::string Admission::admitAcquire(Event* e) {
  Lock l = lockOf(e->target);
  bool shared = e->op == Op::SharedAcquire;
  if (l.owner != kFree && l.owner != e->thread) return lock(e->target) + " is held by " + name(l.owner);
  if (l.owner == e->thread && shared)
    return lock(e->target) + " is held exclusively by " + name(e->thread) + " itself";
  if (!shared && l.readers) return lock(e->target) + " is held shared by " + aReaderOf(e->target);
  if (shared) {
    if (++depths_[key(*e)] > 1)
      e->op = Op::Inner;
    else
      ++l.readers;
  } else {
    if (l.owner == e->thread) {
      ++l.depth;
      e->op = Op::Inner;
    } else {
      l = {e->thread, 1, 0};
    }
  }
  setLock(e->target, l);
  return {};
}

std::string Admission::admitRelease(Event* e) {
  Lock l = lockOf(e->target);
  if (e->op == Op::Release) {
    if (l.owner != e->thread) return lock(e->target) + " is not held by " + name(e->thread);
    if (--l.depth > 0)
      e->op = Op::Inner;
    else
      l.owner = kFree;
    setLock(e->target, l);
    return {};
  }
  auto mine = depths_.find(key(*e));
  if (mine == depths_.end()) return lock(e->target) + " is not held shared by " + name(e->thread);
  if (--mine->second > 0) {
    e->op = Op::Inner;
  } else {
    depths_.erase(mine);
    --l.readers;
  }
  setLock(e->target, l);
  return {};
}

}  // namespace predrace
