// A plain store by another thread ends a release sequence: its reader does not see the release.
// (TSan lets every store continue the sequence.)
// UNSUPPORTED: tsan
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
#include <atomic>
#include <thread>

#include "order.h"

std::atomic<int> flag;
int data, seen;

int main() {
  std::thread a([] {
    data = 42;
    flag.store(1, std::memory_order_release);
    step();
  });
  std::thread b([] {
    await(1);
    flag.store(2, std::memory_order_relaxed);
    step();
  });
  std::thread c([] {
    await(2);
    if (flag.load(std::memory_order_acquire) == 2) seen = data;
  });
  a.join();
  b.join();
  c.join();
}
