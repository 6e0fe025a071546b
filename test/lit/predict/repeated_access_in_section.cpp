// The same access in two sections of one thread: the second one counts for rule (a), although it repeats.
// That is CP's order; nothing is read across, so OSR knows a schedule.
// RUN: %predrace_cxx %s -o %t
// RUN: env PREDRACE_OPTIONS=predict=cp %silent %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: predicted data race (pid=
// CHECK: which was checked
#include <mutex>

#include "figure.h"

std::mutex m, n;
int x, y;

int main() {
  std::thread a([] {
    for (int i = 0; i < 2; i++) {
      m.lock();
      y = 1;
      m.unlock();
      if (i == 0) x = 1;
    }
    step();
  });
  std::thread b([] {
    await(1);
    m.lock();
    y = 2;
    m.unlock();
    x = 2;
  });
  a.join();
  b.join();
}
