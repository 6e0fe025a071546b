// The engine process, from the program's side.
#ifndef PREDRACE_RTL_ENGINE_PROCESS_H
#define PREDRACE_RTL_ENGINE_PROCESS_H

#include "runtime/rtl/rtl.h"

namespace __predrace {

// Starts `path` with the session's descriptor. It is nobody's child: the program's
// wait() and SIGCHLD handler never see it. Returns 0, or the error number.
int spawnEngine(const char* path, int sessionFd);
bool engineIsAlive();
// The descriptors that connect us to it; a forked child drops its copies.
void closeEnginePipes();

// Wakes the engine if it sleeps.
void ringBell();
// Waits at most so long for *word to differ from `seen`; word is in the session.
void futexWait(u32* word, u32 seen, unsigned milliseconds);
// Ends the program if the engine wants it to (halt_on_error).
void obeyHalt();
// Tells what was remembered while the program was alone.
void tellHeldAlone(ThreadState* t);

// The session's beginning and, registered with atexit, its ordinary end.
bool openSession();
void finaliseAtExit();
// A forked child: modules are to be told again; the locks that its one thread
// holds are to be told when its engine starts.
void forgetModules();
void rememberHeldBy(ThreadState* t);

}  // namespace __predrace

#endif  // PREDRACE_RTL_ENGINE_PROCESS_H
