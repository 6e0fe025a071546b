// Semaphores and barriers.
//
// Every post is before every later wait that succeeds (one channel for each
// semaphore). A barrier has a channel for each generation: all that arrive send,
// all that leave receive.
#include "runtime/rtl/interceptors.h"

namespace __predrace {

namespace {

void afterWait(const void* s, int result, uptr pc) {
  if (result != 0) return;
  Call call(pc);
  if (call.tells()) call.sync(RecordKind::Receive, objectAt(s, ObjectKind::Other, call));
}

// A barrier's object counts arrivals; `depth` is how many it waits for, 0 if it
// was made before we were there: then it has one channel, which orders more than
// the barrier does. Nobody arrives at the next generation before all have arrived
// at this one, so the quotient is exact.
void setBarrierSize(const void* b, u32 size, uptr pc) {
  Call call(pc);
  if (!call.tells()) return;
  retireObject(b, call);
  objectAt(b, ObjectKind::Other, call)->depth = size;
}

struct Arrival {
  SyncObject* object;  // null if the thread tells nothing
  u32 generation;
};

Arrival arrive(const void* b, uptr pc) {
  Call call(pc);
  if (!call.tells()) return {};
  SyncObject* o = objectAt(b, ObjectKind::Other, call);
  u32 arrivals = __atomic_fetch_add(&o->arrivals, 1, __ATOMIC_RELAXED);
  u32 generation = o->depth ? arrivals / o->depth : 0;
  call.sync(RecordKind::Send, o, generation);
  return {o, generation};
}

void depart(Arrival arrival, uptr pc) {
  if (!arrival.object) return;
  Call call(pc);
  if (call.tells()) call.sync(RecordKind::Receive, arrival.object, arrival.generation);
  __atomic_fetch_add(&arrival.object->departures, 1, __ATOMIC_RELEASE);
}

// A barrier may be destroyed as soon as one thread has left it; the others have
// yet to tell that they did.
void awaitDepartures(const void* b) {
  SyncObject* o = findObject(b);
  if (!o || o->kind != ObjectKind::Other) return;
  while (__atomic_load_n(&o->departures, __ATOMIC_ACQUIRE) != __atomic_load_n(&o->arrivals, __ATOMIC_RELAXED))
    internal_sched_yield();
}

}  // namespace

}  // namespace __predrace

using namespace __predrace;

INTERCEPTOR(int, sem_init, void* s, int shared, unsigned value) {
  int result = REAL(sem_init)(s, shared, value);
  if (result == 0) objectMade(s, ObjectKind::Other, GET_CALLER_PC());
  return result;
}

INTERCEPTOR(int, sem_destroy, void* s) {
  int result = REAL(sem_destroy)(s);
  if (result == 0) objectGone(s, GET_CALLER_PC());
  return result;
}

INTERCEPTOR(int, sem_post, void* s) {
  {
    Call call(GET_CALLER_PC());
    if (call.tells()) call.sync(RecordKind::Send, objectAt(s, ObjectKind::Other, call));
  }
  return REAL(sem_post)(s);
}

INTERCEPTOR(int, sem_wait, void* s) {
  int result = REAL(sem_wait)(s);
  afterWait(s, result, GET_CALLER_PC());
  return result;
}

INTERCEPTOR(int, sem_trywait, void* s) {
  int result = REAL(sem_trywait)(s);
  afterWait(s, result, GET_CALLER_PC());
  return result;
}

INTERCEPTOR(int, sem_timedwait, void* s, const void* time) {
  int result = REAL(sem_timedwait)(s, time);
  afterWait(s, result, GET_CALLER_PC());
  return result;
}

INTERCEPTOR(int, sem_clockwait, void* s, int clock, const void* time) {
  int result = REAL(sem_clockwait)(s, clock, time);
  afterWait(s, result, GET_CALLER_PC());
  return result;
}

INTERCEPTOR(int, pthread_barrier_init, void* b, const void* attributes, unsigned count) {
  int result = REAL(pthread_barrier_init)(b, attributes, count);
  if (result == 0) setBarrierSize(b, count, GET_CALLER_PC());
  return result;
}

INTERCEPTOR(int, pthread_barrier_destroy, void* b) {
  int result = REAL(pthread_barrier_destroy)(b);
  if (result != 0) return result;
  awaitDepartures(b);
  objectGone(b, GET_CALLER_PC());
  return result;
}

INTERCEPTOR(int, pthread_barrier_wait, void* b) {
  uptr pc = GET_CALLER_PC();
  Arrival arrival = arrive(b, pc);
  int result = REAL(pthread_barrier_wait)(b);  // 0, or PTHREAD_BARRIER_SERIAL_THREAD for one of them
  depart(arrival, pc);
  return result;
}
