// posix_spawn, vfork and system() from a threaded program.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "order.h"

extern char **environ;

int main() {
  std::thread t([] { await(1); });
  int bad = system("exit 3") == 3 << 8 ? 0 : 1;
  char name[] = "sh", flag[] = "-c", script[] = "exit 4";
  char *arguments[] = {name, flag, script, nullptr};
  pid_t child;
  int status;
  if (posix_spawn(&child, "/bin/sh", nullptr, nullptr, arguments, environ) != 0) bad |= 2;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 4) bad |= 4;
  child = vfork();
  if (child == 0) {
    execv("/bin/sh", arguments);
    _exit(127);
  }
  waitpid(child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 4) bad |= 8;
  step();
  t.join();
  return bad;
}
