// SyncObject: a mutex, condition variable, atomic, thread... as the engine knows it.
//
// Found by address through a radix tree over granules (several objects of one
// granule are chained), so that freed memory's objects can be retired without
// looking at memory that never had any.
//
// Thread safety: lookup is lock-free; tickets are atomic. `owner` and `depth`
// belong to whoever holds the program's lock; `mutex` guards an atomic's
// operation together with its ticket (atomics only).
#ifndef PREDRACE_RTL_SYNC_OBJECT_H
#define PREDRACE_RTL_SYNC_OBJECT_H

#include "runtime/wire/record.h"
#include "sanitizer_common/sanitizer_atomic.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_mutex.h"

namespace __predrace {

using namespace __sanitizer;
using predrace::ObjectKind;

class Call;
struct ThreadState;

struct SyncObject {
  u32 id;
  atomic_uint32_t ticket;  // next one
  u32 owner;               // thread id + 1 of the exclusive holder, 0 if none
  u32 depth;               // of its recursive sections
  ObjectKind kind;
  StaticSpinMutex mutex;
  uptr address;
  // Atomics: the segment whose load was the object's last operation (or 0), its
  // order and size. See atomic_op.h.
  u64 loadSegment;
  u8 loadOrder, loadSize;
  u32 arrivals, departures;  // barriers (`depth` is how many threads one waits for)
  SyncObject* next;          // at another byte of the same granule, or in the free list
};

// The object at an address; made (and its Create record told) at first use. An
// object of another kind that was there before is retired first. Never null
// (an id is always to be had: 2^28 of them, reused).
SyncObject* objectAt(const volatile void* address, ObjectKind kind, Call& call);
// The object if there is one, else null.
SyncObject* findObject(const volatile void* address);
// The object is gone (pthread_mutex_destroy, memory freed): tells Retire.
void retireObject(const volatile void* address, Call& call);
void retireObjectsIn(uptr address, uptr size, Call& call);
// An object without an address (a thread's own).
SyncObject* newObject(ObjectKind kind);
void deleteObject(SyncObject* object);
SyncObject* objectById(u32 id);
u32 numObjects();  // ids are below it
template <class F>
void forEachObject(F f) {
  for (u32 id = 1; id < numObjects(); ++id) f(objectById(id));
}
// The one that orders the reuse of memory (record.h).
SyncObject* memoryObject();
// The object's next ticket. Take it while the operation is in force.
u32 nextTicket(SyncObject* object);
// Makes the memory object. Once, before any other object.
void initialiseObjects();
// Around fork(): no object is half made or half gone in the child.
void lockObjects();
void unlockObjects();
// A forked child: all tickets start again.
void restartTickets();

}  // namespace __predrace

#endif  // PREDRACE_RTL_SYNC_OBJECT_H
