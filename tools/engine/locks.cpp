#include "tools/engine/locks.h"

#include <algorithm>

namespace predrace {

namespace {
// Numbers rest before they come back, so that a late report still names the right lock.
constexpr size_t kRest = 1024;

bool eraseOne(std::vector<uint32_t>& list, uint32_t value) {
  auto at = std::find(list.rbegin(), list.rend(), value);  // sections nest: usually the last
  if (at == list.rend()) return false;
  list.erase(std::next(at).base());
  return true;
}
}  // namespace

uint32_t Locks::make(uint32_t object) {
  ++made_;
  uint32_t lock;
  if (free_.size() > kRest) {
    lock = free_.front();
    free_.pop_front();
  } else {
    lock = static_cast<uint32_t>(locks_.size());
    locks_.emplace_back();
  }
  locks_[lock] = Lock();
  locks_[lock].object = object;
  return lock;
}

void Locks::retire(uint32_t lock) {
  forceOut(lock, 0);
  if (locks_[lock].foreign != kNone) channels_.unref(locks_[lock].foreign);
  locks_[lock].foreign = kNone;
  emitter_.engine().forgetLock(lock);
  free_.push_back(lock);
}

void Locks::take(uint32_t lock, uint32_t thread, uint32_t site, Op op) {
  Lock& l = locks_[lock];
  emitter_.emit(op, thread, lock, site);
  if (l.foreign != kNone) channels_.receive(l.foreign, thread, site);
  l.site = site;
  heldBy(thread).push_back(lock);
}

void Locks::leave(uint32_t lock, uint32_t thread, uint32_t site, Op op) {
  Lock& l = locks_[lock];
  if (l.bumped != kNone) emitter_.emit(Op::At, thread, l.bumped, site);
  emitter_.emit(op, thread, lock, site);
  l.last = thread;
  eraseOne(heldBy(thread), lock);
}

// Whoever is still inside comes out: the program broke the lock's rules.
void Locks::forceOut(uint32_t lock, uint32_t site) {
  Lock& l = locks_[lock];
  if (l.owner != kNone) {
    leave(lock, l.owner, site, Op::Release);
    l.owner = kNone;
    odd_ |= !ending_;
  }
  while (!l.readers.empty()) {
    leave(lock, l.readers.back(), site, Op::SharedRelease);
    l.readers.pop_back();
    odd_ |= !ending_;
  }
  l.bumped = kNone;
}

void Locks::acquire(uint32_t lock, uint32_t thread, uint32_t site) {
  if (locks_[lock].owner == thread) return;
  forceOut(lock, site);
  take(lock, thread, site, Op::Acquire);
  locks_[lock].owner = thread;
}

void Locks::release(uint32_t lock, uint32_t thread, uint32_t site) {
  Lock& l = locks_[lock];
  if (l.owner == thread) {
    leave(lock, thread, site, Op::Release);
    l.owner = kNone;
    l.bumped = kNone;
    return;
  }
  if (l.owner == kNone) return;
  forceOut(lock, site);
  odd_ = true;
  if (l.foreign == kNone) l.foreign = channels_.make();
  channels_.send(l.foreign, thread, site);
}

void Locks::sharedAcquire(uint32_t lock, uint32_t thread, uint32_t site) {
  Lock& l = locks_[lock];
  if (std::find(l.readers.begin(), l.readers.end(), thread) != l.readers.end()) return;
  if (l.owner != kNone) forceOut(lock, site);
  take(lock, thread, site, Op::SharedAcquire);
  l.readers.push_back(thread);
}

void Locks::sharedRelease(uint32_t lock, uint32_t thread, uint32_t site) {
  Lock& l = locks_[lock];
  if (!eraseOne(l.readers, thread)) return;
  leave(lock, thread, site, Op::SharedRelease);
  if (l.readers.empty()) l.bumped = kNone;
}

void Locks::tryFail(uint32_t lock, uint32_t object, uint32_t thread, uint32_t site) {
  Lock& l = locks_[lock];
  bool inside = false;
  auto holds = [&](uint32_t holder) {
    if (holder == thread) return;  // it bumped into itself
    inside = true;
    emitter_.emit(Op::At, holder, object, l.site);
  };
  if (l.owner != kNone) holds(l.owner);
  for (uint32_t reader : l.readers) holds(reader);
  // Nobody inside any more: behind whoever left last.
  if (!inside && l.last != kNone && l.last != thread) emitter_.emit(Op::At, l.last, object, l.site);
  emitter_.emit(Op::At, thread, object, site);
  if (inside) l.bumped = object;
}

void Locks::endThread(uint32_t thread, uint32_t site) {
  if (thread >= held_.size()) return;
  while (!held_[thread].empty()) {
    uint32_t lock = held_[thread].back();
    if (locks_[lock].owner == thread) {
      release(lock, thread, site);
    } else {
      sharedRelease(lock, thread, site);
    }
  }
  held_[thread].shrink_to_fit();
}

}  // namespace predrace
