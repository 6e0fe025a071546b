// Reader-writer locks.
//
// A writer's section is an exclusive one (mutex.cpp). A reader may enter again
// while inside; only its outermost section is told, so each thread keeps a list
// of the locks it reads under.
#include <errno.h>

#include "runtime/rtl/interceptors.h"
#include "sanitizer_common/sanitizer_allocator_internal.h"

namespace __predrace {

namespace {

struct SharedSection {
  SyncObject* object;
  u32 depth;
};
// The calling thread's, in no particular order.
struct SharedSections {
  SharedSection* items;
  u32 count, capacity;

  SharedSection* find(SyncObject* object) {
    for (u32 i = 0; i < count; ++i)
      if (items[i].object == object) return &items[i];
    return nullptr;
  }
  void add(SyncObject* object) {
    if (count == capacity) {
      capacity = capacity ? 2 * capacity : 8;
      items = static_cast<SharedSection*>(InternalRealloc(items, capacity * sizeof(SharedSection)));
    }
    items[count++] = {object, 1};
  }
  void remove(SharedSection* section) { *section = items[--count]; }
};
THREADLOCAL SharedSections sections __attribute__((tls_model("initial-exec")));

void afterReadLock(const void* l, int result, uptr pc) {
  Call call(pc);
  if (!call.tells()) return;
  if (UNLIKELY(result != 0)) {
    if (result == EBUSY || result == ETIMEDOUT) lockRefused(call, l, ObjectKind::RwLock);
    return;
  }
  SyncObject* o = objectAt(l, ObjectKind::RwLock, call);
  if (SharedSection* section = sections.find(o)) {
    ++section->depth;
  } else {
    sections.add(o);
    call.sync(RecordKind::SharedAcquire, o);
  }
}

void afterWriteLock(const void* l, int result, uptr pc) { afterLock(l, ObjectKind::RwLock, result, pc); }

// Whose section ends is known by who holds one: a thread inside a shared section
// cannot be inside an exclusive one of the same lock.
void beforeRwUnlock(const void* l, uptr pc) {
  Call call(pc);
  if (!call.tells()) return;
  SyncObject* o = findObject(l);
  SharedSection* section = o ? sections.find(o) : nullptr;
  if (!section) {
    lockGiven(call, l, ObjectKind::RwLock);
  } else if (--section->depth == 0) {
    sections.remove(section);
    call.sync(RecordKind::SharedRelease, o);
  }
}

}  // namespace

void forgetSharedSections() {
  InternalFree(sections.items);
  sections = {};
}

}  // namespace __predrace

using namespace __predrace;

INTERCEPTOR(int, pthread_rwlock_init, void* l, const void* attributes) {
  int result = REAL(pthread_rwlock_init)(l, attributes);
  if (result == 0) objectMade(l, ObjectKind::RwLock, GET_CALLER_PC());
  return result;
}

INTERCEPTOR(int, pthread_rwlock_destroy, void* l) {
  int result = REAL(pthread_rwlock_destroy)(l);
  if (result == 0) objectGone(l, GET_CALLER_PC());
  return result;
}

INTERCEPTOR(int, pthread_rwlock_rdlock, void* l) {
  int result = REAL(pthread_rwlock_rdlock)(l);
  afterReadLock(l, result, GET_CALLER_PC());
  return result;
}

INTERCEPTOR(int, pthread_rwlock_tryrdlock, void* l) {
  int result = REAL(pthread_rwlock_tryrdlock)(l);
  afterReadLock(l, result, GET_CALLER_PC());
  return result;
}

INTERCEPTOR(int, pthread_rwlock_timedrdlock, void* l, const void* time) {
  int result = REAL(pthread_rwlock_timedrdlock)(l, time);
  afterReadLock(l, result, GET_CALLER_PC());
  return result;
}

INTERCEPTOR(int, pthread_rwlock_clockrdlock, void* l, int clock, const void* time) {
  int result = REAL(pthread_rwlock_clockrdlock)(l, clock, time);
  afterReadLock(l, result, GET_CALLER_PC());
  return result;
}

INTERCEPTOR(int, pthread_rwlock_wrlock, void* l) {
  int result = REAL(pthread_rwlock_wrlock)(l);
  afterWriteLock(l, result, GET_CALLER_PC());
  return result;
}

INTERCEPTOR(int, pthread_rwlock_trywrlock, void* l) {
  int result = REAL(pthread_rwlock_trywrlock)(l);
  afterWriteLock(l, result, GET_CALLER_PC());
  return result;
}

INTERCEPTOR(int, pthread_rwlock_timedwrlock, void* l, const void* time) {
  int result = REAL(pthread_rwlock_timedwrlock)(l, time);
  afterWriteLock(l, result, GET_CALLER_PC());
  return result;
}

INTERCEPTOR(int, pthread_rwlock_clockwrlock, void* l, int clock, const void* time) {
  int result = REAL(pthread_rwlock_clockwrlock)(l, clock, time);
  afterWriteLock(l, result, GET_CALLER_PC());
  return result;
}

INTERCEPTOR(int, pthread_rwlock_unlock, void* l) {
  beforeRwUnlock(l, GET_CALLER_PC());
  return REAL(pthread_rwlock_unlock)(l);
}
