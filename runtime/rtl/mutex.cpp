// Exclusive locks: pthread mutexes and spin locks, C11 mtx.
//
// Only outermost sections are told; recursion is counted by owner and depth, so
// a lock's type need not be known.
//
// A lock that one thread takes and another gives back is told as it happens: the
// engine then orders its users as those of a semaphore.
#include <errno.h>

#include "runtime/rtl/interceptors.h"

namespace __predrace {

void lockTaken(Call& call, const void* m, ObjectKind kind) {
  SyncObject* o = objectAt(m, kind, call);
  u32 me = call.thread()->id + 1;
  if (o->owner == me) {
    ++o->depth;
    return;
  }
  __atomic_store_n(&o->owner, me, __ATOMIC_RELAXED);
  o->depth = 1;
  call.sync(RecordKind::Acquire, o);
}

void lockGiven(Call& call, const void* m, ObjectKind kind) {
  SyncObject* o = findObject(m);
  if (!o || o->kind != kind) return;  // taken before we were there
  u32 owner = __atomic_load_n(&o->owner, __ATOMIC_RELAXED);
  if (owner == 0) return;
  if (LIKELY(owner == call.thread()->id + 1) && --o->depth != 0) return;
  __atomic_store_n(&o->owner, 0, __ATOMIC_RELAXED);
  call.sync(RecordKind::Release, o);
}

void lockRefused(Call& call, const void* m, ObjectKind kind) {
  SyncObject* o = objectAt(m, kind, call);
  u32 owner = __atomic_load_n(&o->owner, __ATOMIC_RELAXED);
  if (owner != call.thread()->id + 1) call.sync(RecordKind::TryFail, o);
}

void afterLock(const void* m, ObjectKind kind, int result, uptr pc) {
  Call call(pc);
  if (!call.tells()) return;
  if (LIKELY(result == 0) || result == EOWNERDEAD) {
    lockTaken(call, m, kind);
  } else if (result == EBUSY || result == ETIMEDOUT) {
    lockRefused(call, m, kind);
  }
}

void beforeUnlock(const void* m, ObjectKind kind, uptr pc) {
  Call call(pc);
  if (call.tells()) lockGiven(call, m, kind);
}

void objectMade(const void* p, ObjectKind kind, uptr pc) {
  Call call(pc);
  if (!call.tells()) return;
  retireObject(p, call);
  objectAt(p, kind, call);
}

void objectGone(const void* p, uptr pc) {
  Call call(pc);
  if (call.tells()) retireObject(p, call);
}

namespace {

void afterMutexLock(const void* m, int result, uptr pc) { afterLock(m, ObjectKind::Mutex, result, pc); }

// C11's results, as errno numbers. (enum in threads.h: success, busy, error, nomem, timedout)
int errnoOf(int thrd) { return thrd == 0 ? 0 : thrd == 1 ? EBUSY : thrd == 4 ? ETIMEDOUT : EINVAL; }

}  // namespace

}  // namespace __predrace

using namespace __predrace;

INTERCEPTOR(int, pthread_mutex_init, void* m, const void* attributes) {
  int result = REAL(pthread_mutex_init)(m, attributes);
  if (result == 0) objectMade(m, ObjectKind::Mutex, GET_CALLER_PC());
  return result;
}

INTERCEPTOR(int, pthread_mutex_destroy, void* m) {
  int result = REAL(pthread_mutex_destroy)(m);
  if (result == 0) objectGone(m, GET_CALLER_PC());
  return result;
}

INTERCEPTOR(int, pthread_mutex_lock, void* m) {
  int result = REAL(pthread_mutex_lock)(m);
  afterMutexLock(m, result, GET_CALLER_PC());
  return result;
}

INTERCEPTOR(int, pthread_mutex_trylock, void* m) {
  int result = REAL(pthread_mutex_trylock)(m);
  afterMutexLock(m, result, GET_CALLER_PC());
  return result;
}

INTERCEPTOR(int, pthread_mutex_timedlock, void* m, const void* time) {
  int result = REAL(pthread_mutex_timedlock)(m, time);
  afterMutexLock(m, result, GET_CALLER_PC());
  return result;
}

INTERCEPTOR(int, pthread_mutex_clocklock, void* m, int clock, const void* time) {
  int result = REAL(pthread_mutex_clocklock)(m, clock, time);
  afterMutexLock(m, result, GET_CALLER_PC());
  return result;
}

INTERCEPTOR(int, pthread_mutex_unlock, void* m) {
  beforeUnlock(m, ObjectKind::Mutex, GET_CALLER_PC());
  return REAL(pthread_mutex_unlock)(m);
}

INTERCEPTOR(int, pthread_spin_init, void* m, int shared) {
  int result = REAL(pthread_spin_init)(m, shared);
  if (result == 0) objectMade(m, ObjectKind::Mutex, GET_CALLER_PC());
  return result;
}

INTERCEPTOR(int, pthread_spin_destroy, void* m) {
  int result = REAL(pthread_spin_destroy)(m);
  if (result == 0) objectGone(m, GET_CALLER_PC());
  return result;
}

INTERCEPTOR(int, pthread_spin_lock, void* m) {
  int result = REAL(pthread_spin_lock)(m);
  afterMutexLock(m, result, GET_CALLER_PC());
  return result;
}

INTERCEPTOR(int, pthread_spin_trylock, void* m) {
  int result = REAL(pthread_spin_trylock)(m);
  afterMutexLock(m, result, GET_CALLER_PC());
  return result;
}

INTERCEPTOR(int, pthread_spin_unlock, void* m) {
  beforeUnlock(m, ObjectKind::Mutex, GET_CALLER_PC());
  return REAL(pthread_spin_unlock)(m);
}

INTERCEPTOR(int, mtx_init, void* m, int type) {
  int result = REAL(mtx_init)(m, type);
  if (result == 0) objectMade(m, ObjectKind::Mutex, GET_CALLER_PC());
  return result;
}

INTERCEPTOR(void, mtx_destroy, void* m) {
  REAL(mtx_destroy)(m);
  objectGone(m, GET_CALLER_PC());
}

INTERCEPTOR(int, mtx_lock, void* m) {
  int result = REAL(mtx_lock)(m);
  afterMutexLock(m, errnoOf(result), GET_CALLER_PC());
  return result;
}

INTERCEPTOR(int, mtx_trylock, void* m) {
  int result = REAL(mtx_trylock)(m);
  afterMutexLock(m, errnoOf(result), GET_CALLER_PC());
  return result;
}

INTERCEPTOR(int, mtx_timedlock, void* m, const void* time) {
  int result = REAL(mtx_timedlock)(m, time);
  afterMutexLock(m, errnoOf(result), GET_CALLER_PC());
  return result;
}

INTERCEPTOR(int, mtx_unlock, void* m) {
  beforeUnlock(m, ObjectKind::Mutex, GET_CALLER_PC());
  return REAL(mtx_unlock)(m);
}
