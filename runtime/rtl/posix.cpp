#include "runtime/rtl/posix.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

namespace __predrace {

int withCancelCleanup(int (*call)(void*), void (*cleanup)(void*), void* argument) {
  int result;
  pthread_cleanup_push(cleanup, argument);
  result = call(argument);
  pthread_cleanup_pop(0);
  return result;
}

uptr stackSizeOf(const void* attributes) {
  size_t size = 0;
  if (attributes) {
    pthread_attr_getstacksize(static_cast<const pthread_attr_t*>(attributes), &size);
  } else {
    pthread_attr_t defaults;
    if (pthread_attr_init(&defaults) == 0) {
      pthread_attr_getstacksize(&defaults, &size);
      pthread_attr_destroy(&defaults);
    }
  }
  return size ? size : static_cast<uptr>(8) << 20;
}

bool isDetached(const void* attributes) {
  int state = PTHREAD_CREATE_JOINABLE;
  if (attributes) pthread_attr_getdetachstate(static_cast<const pthread_attr_t*>(attributes), &state);
  return state == PTHREAD_CREATE_DETACHED;
}

uptr currentThreadHandle() { return pthread_self(); }

// Key destructors run in rounds for as long as keys are set, at most so many.
// Ours sets its key again in all but the last one.
static pthread_key_t endKey;
static void (*endFunction)();

static void setRoundsLeft(uptr rounds) { pthread_setspecific(endKey, reinterpret_cast<void*>(rounds)); }

static void atThreadEnd(void* roundsLeft) {
  uptr rounds = reinterpret_cast<uptr>(roundsLeft);
  if (rounds > 1) return setRoundsLeft(rounds - 1);
  endFunction();
}

void onThreadEnd(void (*function)()) {
  endFunction = function;
  pthread_key_create(&endKey, atThreadEnd);
}

void armThreadEnd() { setRoundsLeft(PTHREAD_DESTRUCTOR_ITERATIONS); }

void onFork(void (*prepare)(), void (*parent)(), void (*child)()) { pthread_atfork(prepare, parent, child); }

void onQuickExit(void (*function)()) { at_quick_exit(function); }

}  // namespace __predrace
