// A child made by fork has a memory of its own.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

int shared;

int main() {
  std::thread t([] { shared = 1; });
  t.join();
  pid_t child = fork();
  if (child == 0) {
    shared = 2;
    _exit(shared == 2 ? 5 : 6);
  }
  shared = 3;
  int status;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 5 ? 0 : 1;
}
