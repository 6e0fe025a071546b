// fork and exec from a program with threads running.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "order.h"

int main() {
  std::thread t([] { await(1); });
  pid_t child = fork();
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", "exit 9", nullptr);
    _exit(127);
  }
  int status;
  waitpid(child, &status, 0);
  step();
  t.join();
  return WIFEXITED(status) && WEXITSTATUS(status) == 9 ? 0 : 1;
}
