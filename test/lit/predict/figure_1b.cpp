// Figure 1(b): the sections conflict on y.
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
  m.lock();
  y = 1;
  m.unlock();
}
void second() {
  m.lock();
  y = 2;
  m.unlock();
  x = 2;
}

int main() { in_order(first, second); }
