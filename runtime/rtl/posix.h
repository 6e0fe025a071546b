// What the runtime needs of pthread.h and stdlib.h: in one file of its own,
// because those headers declare with exact types what interceptors redefine.
#ifndef PREDRACE_RTL_POSIX_H
#define PREDRACE_RTL_POSIX_H

#include "sanitizer_common/sanitizer_common.h"

namespace __predrace {

using namespace __sanitizer;

// Calls call(argument); if the thread is cancelled inside, cleanup(argument) runs
// on the way out, before the program's own handlers.
int withCancelCleanup(int (*call)(void*), void (*cleanup)(void*), void* argument);

// By a pthread_attr_t, or the defaults if it is null.
uptr stackSizeOf(const void* attributes);
bool isDetached(const void* attributes);
uptr currentThreadHandle();

// `function` will run at the end of each thread that calls armThreadEnd(), after
// destructors of thread-local objects and of all keys: however the thread ends.
void onThreadEnd(void (*function)());
void armThreadEnd();

void onFork(void (*prepare)(), void (*parent)(), void (*child)());
void onQuickExit(void (*function)());

}  // namespace __predrace

#endif  // PREDRACE_RTL_POSIX_H
