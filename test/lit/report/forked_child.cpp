// A race in a forked child is the child's own report, with the child's pid and exit code.
// RUN: %predrace_cxx %s -o %t
// RUN: %exits 0 %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race
// CHECK-NOT: WARNING: PredRace
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "two.h"

int shared;
void first() { shared = 1; }
void second() { shared = 2; }

int main() {
  std::thread([] {}).join();
  pid_t child = fork();
  if (child == 0) {
    in_told_order(first, second);
    return 0;
  }
  int status;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 66 ? 0 : 1;
}
