// One-time initialisation: pthread_once, C11 call_once, and the guards of C++
// function-local statics.
#include "runtime/rtl/atomic_op.h"
#include "runtime/rtl/interceptors.h"
#include "sanitizer_common/sanitizer_mutex.h"

namespace __predrace {

namespace {

// ---- once flags ------------------------------------------------------------------------

// The real function takes a routine without an argument, so what our routine
// needs waits here, for the moment between the two calls.
struct PendingOnce {
  const void* flag;
  void (*routine)();
  uptr pc;
};
THREADLOCAL PendingOnce* pendingOnce __attribute__((tls_model("initial-exec")));

// Runs inside the real once, which lets nobody pass before we return.
void runOnce() {
  PendingOnce once = *pendingOnce;
  once.routine();
  Call call(once.pc);
  if (call.tells()) call.sync(RecordKind::Send, objectAt(once.flag, ObjectKind::Once, call));
}

// real(routine) is the real function with its flag.
template <class Real>
auto doOnce(const void* flag, void (*routine)(), uptr pc, Real real) {
  PendingOnce once = {flag, routine, pc};
  pendingOnce = &once;
  struct Receive {
    PendingOnce& once;
    ~Receive() {
      Call call(once.pc);
      if (call.tells()) call.sync(RecordKind::Receive, objectAt(once.flag, ObjectKind::Once, call));
    }
  } receive{once};
  return real(runOnce);
}

// ---- static guards ---------------------------------------------------------------------

// The compiler reads the guard's first byte with an acquire load before it calls
// us: an atomic of one byte like any other, told by instrumented code. Here are
// the other operations on it. They do not forward to libstdc++'s, which may be
// linked statically and then cannot be found, but use its layout, so that a
// library that brought its own may share a guard with us: first byte done, second
// one in progress, third one somebody waits.
constexpr u32 kDone = 1, kRunning = 1u << 8, kWaiting = 1u << 16;
constexpr uptr kGuardBytes = 1;  // of it, that the compiler reads

// Claims the guard: its old value, 0 if it is ours now.
u32 claimGuard(u32* guard, uptr pc) {
  u32 old = 0;
  atomically(guard, kGuardBytes, pc, [&] {
    bool claimed =
        __atomic_compare_exchange_n(guard, &old, kRunning, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    return claimed ? Outcome{RecordKind::AtomicUpdate, Order::Acquire}
                   : Outcome{RecordKind::AtomicLoad, Order::Acquire};
  });
  return old;
}

void settleGuard(u32* guard, u32 value, uptr pc) {
  u32 old;
  atomically(guard, kGuardBytes, pc, [&] {
    old = __atomic_exchange_n(guard, value, __ATOMIC_ACQ_REL);
    return Outcome{RecordKind::AtomicStore, Order::Release};
  });
  if (old & kWaiting) FutexWake(reinterpret_cast<atomic_uint32_t*>(guard), ~0u >> 1);
}

}  // namespace

}  // namespace __predrace

using namespace __predrace;

INTERCEPTOR(int, pthread_once, void* flag, void (*routine)()) {
  return doOnce(flag, routine, GET_CALLER_PC(), [=](void (*r)()) { return REAL(pthread_once)(flag, r); });
}

INTERCEPTOR(void, call_once, void* flag, void (*routine)()) {
  doOnce(flag, routine, GET_CALLER_PC(), [=](void (*r)()) { REAL(call_once)(flag, r); });
}

#define PREDRACE_GUARD_FUNCTION extern "C" __attribute__((visibility("default"), weak))

PREDRACE_GUARD_FUNCTION int __cxa_guard_acquire(u32* guard) {
  while (true) {
    u32 seen = claimGuard(guard, GET_CALLER_PC());
    if (seen == 0) return 1;
    if (seen & kDone) return 0;
    u32 waiting = seen | kWaiting;
    if (seen == waiting ||
        __atomic_compare_exchange_n(guard, &seen, waiting, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      FutexWait(reinterpret_cast<atomic_uint32_t*>(guard), waiting);
  }
}

PREDRACE_GUARD_FUNCTION void __cxa_guard_release(u32* guard) { settleGuard(guard, kDone, GET_CALLER_PC()); }

PREDRACE_GUARD_FUNCTION void __cxa_guard_abort(u32* guard) { settleGuard(guard, 0, GET_CALLER_PC()); }
