// Interceptors: the runtime in front of libc's functions.
//
// A new primitive is a row in interceptors.inc and an INTERCEPTOR body. Bodies
// tell through `Call` (rtl.h) and follow three rules:
//  (1) Never hold a Call over a real function that blocks or calls the program
//      back: a signal handler that comes meanwhile would be silent, and one that
//      unwinds (cancellation, an exception) would leave the thread busy.
//  (2) An operation that takes something (lock, join, wait) is told after the
//      real function, one that gives something (unlock, post) before it: tickets
//      are then in the order in which the operations had effect.
//  (3) The real function's result and errno reach the program unchanged.
#ifndef PREDRACE_RTL_INTERCEPTORS_H
#define PREDRACE_RTL_INTERCEPTORS_H

#include "interception/interception.h"
#include "runtime/rtl/rtl.h"

namespace __predrace {

// Finds all real functions of interceptors.inc and prepares what their
// interceptors need. Called once, by initialise().
void interceptAll();

// ---- exclusive sections (mutex.cpp), for whoever has them ----------------------------

// After the lock at m was taken, before it is given back. Both count recursion
// and tell only the outermost.
void lockTaken(Call& call, const void* m, ObjectKind kind);
void lockGiven(Call& call, const void* m, ObjectKind kind);
// After an attempt that gave up because another thread had it.
void lockRefused(Call& call, const void* m, ObjectKind kind);
// By the result of a real lock function.
void afterLock(const void* m, ObjectKind kind, int result, uptr pc);
void beforeUnlock(const void* m, ObjectKind kind, uptr pc);
// A primitive begins its life at p (whatever was there is gone), or ended it.
void objectMade(const void* p, ObjectKind kind, uptr pc);
void objectGone(const void* p, uptr pc);

// ---- memory (memory.cpp) ---------------------------------------------------------------

// The next malloc or free of this thread is made by a real function (operator new,
// strdup) on behalf of the code at pc, and will be told as that code's.
ALWAYS_INLINE void setApiPc(uptr pc) {
  ThreadState* t = self();
  if (t && !t->busy) t->apiPc = pc;
}
ALWAYS_INLINE uptr apiPc() {
  ThreadState* t = self();
  return t && !t->busy ? t->apiPc : 0;
}

// ---- parts of interceptAll ------------------------------------------------------------

void prepareThreads();  // thread.cpp
void prepareProcess();  // process.cpp

// The main thread's stack and thread-local storage, for reports (thread.cpp).
void tellMainMemory();
// The thread table's lock around fork() (thread.cpp).
void lockThreadTable();
void unlockThreadTable();
// What the calling thread knows of its shared sections; it is about to end (rwlock.cpp).
void forgetSharedSections();

}  // namespace __predrace

#endif  // PREDRACE_RTL_INTERCEPTORS_H
