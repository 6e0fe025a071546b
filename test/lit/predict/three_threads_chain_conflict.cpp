// A conflict in the first link orders what any later link passes on.
// That is CP's order; nothing is read across, so OSR knows a schedule.
// RUN: %predrace_cxx %s -o %t
// RUN: env PREDRACE_OPTIONS=predict=cp %silent %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: predicted data race (pid=
// CHECK: which was checked
#include <mutex>
#include <thread>

#include "order.h"

std::mutex m, n;
int x, y;

int main() {
  std::thread a([] {
    x = 1;
    m.lock();
    y = 1;
    m.unlock();
    step();
  });
  std::thread b([] {
    await(1);
    m.lock();
    y = 2;
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
