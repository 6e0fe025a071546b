// Figure 1(a) of the M2 paper: the schedule turns the sections round, although both write x.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: predicted data race (pid=
// CHECK: which was checked
// CHECK-NOT: WARNING: PredRace
#include <mutex>

#include "two.h"

std::mutex m;
int x;
void first() {
  m.lock();
  x = 1;
  m.unlock();
}
void second() {
  m.lock();
  x = 2;
  m.unlock();
  asm volatile("" : : "r"(x));
}

int main() { in_order(first, second); }
