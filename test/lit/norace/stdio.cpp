// printf from two threads: stdio has its own locks.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <stdio.h>

#include <thread>

int main() {
  auto print = [](int me) {
    for (int i = 0; i < 100; i++) printf("line %d of thread %d\n", i, me);
  };
  std::thread t(print, 1), u(print, 2);
  t.join();
  u.join();
  return fflush(stdout);
}
