// The process: forking, and the ways to end that do not run atexit functions.
#include "runtime/rtl/interceptors.h"
#include "runtime/rtl/posix.h"
#include "sanitizer_common/sanitizer_allocator_internal.h"

namespace __predrace {

namespace {

// fork() runs these inside itself, also when daemon() or forkpty() call it. We
// register first of all: `prepare` runs after the program's own handlers, the
// other two before them, so those tell into the right session.
void beforeFork() {
  lockThreadTable();
  lockSlots();
  lockObjects();
  InternalAllocatorLock();
}
void afterForkInParent() {
  InternalAllocatorUnlock();
  unlockObjects();
  unlockSlots();
  unlockThreadTable();
}
void afterForkInChild() {
  afterForkInParent();  // the locks; a spin lock does not care who unlocks it
  afterForkChild();
}

// quick_exit() runs handlers in reverse order of registration: ours is the last.
int quickExitStatus;
void atQuickExit() {
  int status = finalise(quickExitStatus);
  if (status != quickExitStatus) internal__exit(status);
}

}  // namespace

void prepareProcess() {
  onFork(beforeFork, afterForkInParent, afterForkInChild);
  onQuickExit(atQuickExit);
}

}  // namespace __predrace

using namespace __predrace;

INTERCEPTOR(void, _exit, int status) { REAL(_exit)(finalise(status)); }

INTERCEPTOR(void, _Exit, int status) { REAL(_Exit)(finalise(status)); }

INTERCEPTOR(void, quick_exit, int status) {
  quickExitStatus = status;
  REAL(quick_exit)(status);
}
