// The program's wait() does not see the engine, and no SIGCHLD comes from it.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

#include <thread>

volatile sig_atomic_t signals;
void onChild(int) { signals = signals + 1; }

int main() {
  signal(SIGCHLD, onChild);
  std::thread([] {}).join();
  int status;
  if (wait(&status) != -1 || errno != ECHILD) return 1;
  if (waitpid(-1, &status, WNOHANG | __WALL) != -1 || errno != ECHILD) return 2;
  return signals == 0 ? 0 : 3;
}
