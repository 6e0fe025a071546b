// A program that forks, lets its parent go, and goes on in the child with threads.
// RUN: %predrace_cxx %s -o %t
// RUN: %python %inputs/life.py --exit 5 %t
#include <unistd.h>

#include <thread>

int shared;

int main() {
  std::thread([] { shared = 1; }).join();
  if (fork() != 0) return 5;
  setsid();
  if (fork() != 0) _exit(0);
  std::thread([] { shared = 2; }).join();
  return shared == 2 ? 0 : 1;
}
