// An atomic operation together with its record.
//
// Operation and ticket are taken under the object's own spin lock, so the
// tickets of an address are in its modification order and a load's ticket is
// between the stores that it saw and those that it did not.
//
// Thread safety: any. The lock is held for the operation and one push; room in
// the ring is made sure of before, so nobody waits for the engine inside.
//
// Not told: a load that repeats this thread's last load of the same bytes, no
// weaker, with no other operation on the object and no synchronisation operation
// of this thread in between. Both have the same place in the address's order,
// receive the same, lie in the same critical sections, and conflict with the same
// plain accesses: nothing that an engine computes depends on the second. (A
// thread that polls a flag would otherwise fill its ring.)
#ifndef PREDRACE_RTL_ATOMIC_OP_H
#define PREDRACE_RTL_ATOMIC_OP_H

#include "runtime/rtl/rtl.h"

namespace __predrace {

using predrace::Order;

// What an operation turned out to be: compare_exchange is an update or a load.
struct Outcome {
  RecordKind kind;
  Order order;
};

ALWAYS_INLINE bool repeatsLoad(const SyncObject* o, Order order, uptr size) {
  return o->loadSegment == __predrace_thread.segment && o->loadOrder >= static_cast<u8>(order) &&
         o->loadSize == size;
}

// REQUIRES: the object's lock, room for two slots.
ALWAYS_INLINE void tellAtomic(ThreadState* t, SyncObject* o, Outcome outcome, uptr address, uptr size,
                              uptr pc) {
  bool load = outcome.kind == RecordKind::AtomicLoad;
  if (load && repeatsLoad(o, outcome.order, size)) return;
  tellRange(t, outcome.kind, o, pc, static_cast<u32>(outcome.order), address, size);
  // A relaxed operation orders nothing before a fence makes it, and the fence
  // starts a segment.
  if (outcome.order != Order::Relaxed) nextSegment(t);
  o->loadSegment = load ? __predrace_thread.segment : 0;
  o->loadOrder = static_cast<u8>(outcome.order);
  o->loadSize = static_cast<u8>(size);
}

// Runs operation() -> Outcome, once, and tells it. Always inlined, so that
// programs with one thread pay for a look at the state only.
template <class Operation>
ALWAYS_INLINE void atomically(const volatile void* p, uptr size, uptr pc, Operation operation) {
  if (state() == RunState::Running) {
    Call call(pc);
    ThreadState* t = call.thread();
    if (LIKELY(t)) {
      SyncObject* o = objectAt(p, ObjectKind::Atomic, call);
      if (LIKELY(t->ring.fits(2)) || waitForRoom(t, 2)) {
        SpinMutexLock lock(&o->mutex);
        tellAtomic(t, o, operation(), reinterpret_cast<uptr>(p), size, pc);
        return;
      }
    }
  }
  operation();
}

}  // namespace __predrace

#endif  // PREDRACE_RTL_ATOMIC_OP_H
