#include "runtime/engines/held_locks.h"

namespace predrace {

void HeldLocks::acquire(uint32_t thread, uint32_t lock, bool shared) {
  of(thread);
  Thread& t = threads_[thread];
  size_t had = t.held.capacity();
  t.held.push_back({lock, shared, t.now});
  heldBytes_ += (t.held.capacity() - had) * sizeof(Held);
  protect(t, lock, shared);
}

void HeldLocks::protect(Thread& t, uint32_t lock, bool shared) {
  Lock& l = locks_[lock];
  bool same = t.now.reads == t.now.writes;
  t.now.reads = with(t.now.reads, l);
  if (!shared) t.now.writes = same ? t.now.reads : with(t.now.writes, l);
}

uint32_t HeldLocks::with(uint32_t set, Lock& l) {
  if (l.from == set) return l.to;
  if (l.identity == ~0u) l.identity = identities_++;
  l.from = set;
  l.to = sets_.with(set, l.identity, false);
  return l.to;
}

void HeldLocks::release(uint32_t thread, uint32_t lock, bool shared) {
  if (thread >= threads_.size()) return;
  Thread& t = threads_[thread];
  size_t i = t.held.size();
  while (i > 0 && (t.held[i - 1].lock != lock || t.held[i - 1].shared != shared)) --i;
  if (i == 0) return;
  t.now = t.held[i - 1].before;
  t.held.erase(t.held.begin() + static_cast<std::ptrdiff_t>(i - 1));
  for (--i; i < t.held.size(); ++i) {
    t.held[i].before = t.now;
    protect(t, t.held[i].lock, t.held[i].shared);
  }
}

void HeldLocks::end(uint32_t thread) {
  if (thread >= threads_.size()) return;
  heldBytes_ -= threads_[thread].held.capacity() * sizeof(Held);
  threads_[thread] = Thread();
}

void HeldLocks::forget(uint32_t lock) {
  if (Lock* l = locks_.find(lock)) *l = Lock();
}

}  // namespace predrace
