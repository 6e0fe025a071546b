// The atomic operations of instrumented code (llvm-pass/Callbacks.inc).
//
// The machine's operation is at least as strong as the program's: stronger is
// always allowed, and costs something only for stores.
#include "runtime/rtl/atomic_op.h"

namespace __predrace {

namespace {

using u128 = unsigned __int128;

template <class T>
ALWAYS_INLINE T load(const volatile T* p, int order, uptr pc) {
  T value;
  atomically(p, sizeof(T), pc, [&] {
    value = __atomic_load_n(p, __ATOMIC_SEQ_CST);
    return Outcome{RecordKind::AtomicLoad, static_cast<Order>(order)};
  });
  return value;
}

template <class T>
ALWAYS_INLINE void store(volatile T* p, T value, int order, uptr pc) {
  atomically(p, sizeof(T), pc, [&] {
    if (static_cast<Order>(order) == Order::SeqCst) {
      __atomic_store_n(p, value, __ATOMIC_SEQ_CST);
    } else {
      __atomic_store_n(p, value, __ATOMIC_RELEASE);
    }
    return Outcome{RecordKind::AtomicStore, static_cast<Order>(order)};
  });
}

// Any read-modify-write that always writes: change() is the machine's.
template <class T, class Change>
ALWAYS_INLINE T update(volatile T* p, int order, uptr pc, Change change) {
  T old;
  atomically(p, sizeof(T), pc, [&] {
    old = change();
    return Outcome{RecordKind::AtomicUpdate, static_cast<Order>(order)};
  });
  return old;
}

template <class T>
ALWAYS_INLINE T compareExchange(volatile T* p, T expected, T desired, int success, int failure, uptr pc) {
  atomically(p, sizeof(T), pc, [&] {
    bool done = __atomic_compare_exchange_n(p, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return done ? Outcome{RecordKind::AtomicUpdate, static_cast<Order>(success)}
                : Outcome{RecordKind::AtomicLoad, static_cast<Order>(failure)};
  });
  return expected;  // the old value in both cases
}

}  // namespace

}  // namespace __predrace

using namespace __predrace;

#define PREDRACE_EXPORT extern "C" __attribute__((visibility("default")))
#define PREDRACE_UPDATE(N, name, builtin)                                                          \
  PREDRACE_EXPORT u##N __predrace_atomic##N##_##name(volatile u##N* p, u##N value, int order) {    \
    return update(p, order, GET_CALLER_PC(), [=] { return builtin(p, value, __ATOMIC_SEQ_CST); }); \
  }
#define PREDRACE_ATOMICS(N)                                                                              \
  PREDRACE_EXPORT u##N __predrace_atomic##N##_load(const volatile u##N* p, int order) {                  \
    return load(p, order, GET_CALLER_PC());                                                              \
  }                                                                                                      \
  PREDRACE_EXPORT void __predrace_atomic##N##_store(volatile u##N* p, u##N value, int order) {           \
    store(p, value, order, GET_CALLER_PC());                                                             \
  }                                                                                                      \
  PREDRACE_UPDATE(N, exchange, __atomic_exchange_n)                                                      \
  PREDRACE_UPDATE(N, fetch_add, __atomic_fetch_add)                                                      \
  PREDRACE_UPDATE(N, fetch_sub, __atomic_fetch_sub)                                                      \
  PREDRACE_UPDATE(N, fetch_and, __atomic_fetch_and)                                                      \
  PREDRACE_UPDATE(N, fetch_or, __atomic_fetch_or)                                                        \
  PREDRACE_UPDATE(N, fetch_xor, __atomic_fetch_xor)                                                      \
  PREDRACE_UPDATE(N, fetch_nand, __atomic_fetch_nand)                                                    \
  PREDRACE_EXPORT u##N __predrace_atomic##N##_compare_exchange(volatile u##N* p, u##N expected,          \
                                                               u##N desired, int success, int failure) { \
    return compareExchange(p, expected, desired, success, failure, GET_CALLER_PC());                     \
  }
PREDRACE_ATOMICS(8)
PREDRACE_ATOMICS(16)
PREDRACE_ATOMICS(32)
PREDRACE_ATOMICS(64)
PREDRACE_ATOMICS(128)

PREDRACE_EXPORT void __predrace_atomic_fence(int order) {
  if (static_cast<Order>(order) == Order::SeqCst) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
  } else {
    __atomic_thread_fence(__ATOMIC_ACQ_REL);
  }
  if (state() != RunState::Running) return;
  Call call(GET_CALLER_PC());
  if (call.tells()) call.sync(RecordKind::Fence, nullptr, static_cast<u32>(order));
}
