// A program that closes every descriptor it can, ours too, still ends with its own result, and is checked to
// its end: the race comes after.
// RUN: %predrace_cxx %s -o %t
// RUN: %python %inputs/life.py --exit 5 %t
// RUN: %exits 66 %t race 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race
#include <fcntl.h>
#include <unistd.h>

#include <thread>

int shared, racy;

int main(int argc, char **) {
  std::thread([] { shared = 1; }).join();
  for (int fd = 3; fd < 65536; fd++) close(fd);
  for (int i = 0; i < 10; i++) std::thread([] { shared++; }).join();
  if (argc > 1) {
    std::thread other([] { racy = 1; });
    racy = 2;
    other.join();
  }
  return shared == 11 ? 5 : 1;
}
