// A repeated access in the same segment, but now inside a lock: rule (a) needs it.
// That is CP's order; nothing is read across, so OSR knows a schedule.
// RUN: %predrace_cxx %s -o %t
// RUN: env PREDRACE_OPTIONS=predict=cp %silent %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: predicted data race (pid=
// CHECK: which was checked
#include <mutex>

#include "two.h"

std::mutex m;
int x, y;
void first() {
  x = 1;
  y = 1;
  m.lock();
  y = 2;
  m.unlock();
}
void second() {
  m.lock();
  y = 3;
  m.unlock();
  x = 2;
}

int main() { in_order(first, second); }
