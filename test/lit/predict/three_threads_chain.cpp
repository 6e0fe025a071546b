// The order goes through a third thread, by two locks.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: predicted data race (pid=
#include <mutex>
#include <thread>

#include "order.h"

std::mutex m, n;
int x;

int main() {
  std::thread a([] {
    x = 1;
    m.lock();
    m.unlock();
    step();
  });
  std::thread b([] {
    await(1);
    m.lock();
    m.unlock();
    n.lock();
    n.unlock();
    step();
  });
  std::thread c([] {
    await(2);
    n.lock();
    n.unlock();
    x = 2;
  });
  a.join();
  b.join();
  c.join();
}
