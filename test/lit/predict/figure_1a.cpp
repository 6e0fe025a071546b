// Figure 1(a) of the Raptor paper: the lock hand-over hides the race; the sections have nothing in common.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: predicted data race (pid=
// CHECK: second
// CHECK: first
// CHECK: SUMMARY: PredRace: predicted data race
// CHECK-NOT: WARNING: PredRace
#include <mutex>

#include "two.h"

std::mutex m;
int x, y, z;
void first() {
  x = 1;
  m.lock();
  y = 1;
  m.unlock();
}
void second() {
  m.lock();
  z = 1;
  m.unlock();
  x = 2;
}

int main() { in_order(first, second); }
