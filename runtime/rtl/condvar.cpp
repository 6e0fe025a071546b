// Condition variables, POSIX and C11.
//
// A wait is at(cv), release of the mutex, ..., acquire, at(cv); a notification is
// at(cv). There is no other order between them: the mutex makes it.
//
// A thread that is cancelled inside a wait holds the mutex again when its
// cleanup handlers run; that acquire is told by a handler of ours, which runs
// before them.
#include "runtime/rtl/interceptors.h"
#include "runtime/rtl/posix.h"

namespace __predrace {

namespace {

void order(const void* c, uptr pc) {
  Call call(pc);
  if (call.tells()) call.sync(RecordKind::Order, objectAt(c, ObjectKind::CondVar, call));
}

template <class Real>
struct Wait {
  const void* condvar;
  const void* mutex;
  uptr pc;
  Real real;

  void before() {
    Call call(pc);
    if (!call.tells()) return;
    call.sync(RecordKind::Order, objectAt(condvar, ObjectKind::CondVar, call));
    lockGiven(call, mutex, ObjectKind::Mutex);
  }
  // The condition variable may be gone by now, and something else in its place:
  // whoever notifies all waiters may destroy it at once.
  void after(bool woken) {
    Call call(pc);
    if (!call.tells()) return;
    lockTaken(call, mutex, ObjectKind::Mutex);
    SyncObject* o = findObject(condvar);
    if (woken && o && o->kind == ObjectKind::CondVar) call.sync(RecordKind::Order, o);
  }
};

// Any wait: real() is the real function with its arguments; 0 is success for
// both POSIX and C11.
template <class Real>
int wait(const void* condvar, const void* mutex, uptr pc, Real real) {
  using ThisWait = Wait<Real>;
  ThisWait w{condvar, mutex, pc, real};
  w.before();
  int result = withCancelCleanup([](void* p) { return static_cast<ThisWait*>(p)->real(); },
                                 [](void* p) { static_cast<ThisWait*>(p)->after(false); }, &w);
  w.after(result == 0);
  return result;
}

}  // namespace

}  // namespace __predrace

using namespace __predrace;

INTERCEPTOR(int, pthread_cond_init, void* c, const void* attributes) {
  int result = REAL(pthread_cond_init)(c, attributes);
  if (result == 0) objectMade(c, ObjectKind::CondVar, GET_CALLER_PC());
  return result;
}

INTERCEPTOR(int, pthread_cond_destroy, void* c) {
  int result = REAL(pthread_cond_destroy)(c);
  if (result == 0) objectGone(c, GET_CALLER_PC());
  return result;
}

INTERCEPTOR(int, pthread_cond_signal, void* c) {
  order(c, GET_CALLER_PC());
  return REAL(pthread_cond_signal)(c);
}

INTERCEPTOR(int, pthread_cond_broadcast, void* c) {
  order(c, GET_CALLER_PC());
  return REAL(pthread_cond_broadcast)(c);
}

INTERCEPTOR(int, pthread_cond_wait, void* c, void* m) {
  return wait(c, m, GET_CALLER_PC(), [=] { return REAL(pthread_cond_wait)(c, m); });
}

INTERCEPTOR(int, pthread_cond_timedwait, void* c, void* m, const void* time) {
  return wait(c, m, GET_CALLER_PC(), [=] { return REAL(pthread_cond_timedwait)(c, m, time); });
}

INTERCEPTOR(int, pthread_cond_clockwait, void* c, void* m, int clock, const void* time) {
  return wait(c, m, GET_CALLER_PC(), [=] { return REAL(pthread_cond_clockwait)(c, m, clock, time); });
}

INTERCEPTOR(int, cnd_init, void* c) {
  int result = REAL(cnd_init)(c);
  if (result == 0) objectMade(c, ObjectKind::CondVar, GET_CALLER_PC());
  return result;
}

INTERCEPTOR(void, cnd_destroy, void* c) {
  REAL(cnd_destroy)(c);
  objectGone(c, GET_CALLER_PC());
}

INTERCEPTOR(int, cnd_signal, void* c) {
  order(c, GET_CALLER_PC());
  return REAL(cnd_signal)(c);
}

INTERCEPTOR(int, cnd_broadcast, void* c) {
  order(c, GET_CALLER_PC());
  return REAL(cnd_broadcast)(c);
}

INTERCEPTOR(int, cnd_wait, void* c, void* m) {
  return wait(c, m, GET_CALLER_PC(), [=] { return REAL(cnd_wait)(c, m); });
}

INTERCEPTOR(int, cnd_timedwait, void* c, void* m, const void* time) {
  return wait(c, m, GET_CALLER_PC(), [=] { return REAL(cnd_timedwait)(c, m, time); });
}
