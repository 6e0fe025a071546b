// Only flag is predicted: x = 2 comes after a read that saw what was written after x = 1.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: predicted data race (pid=
// CHECK: ead of size 4 at
// CHECK-NOT: WARNING: PredRace
#include <mutex>

#include "two.h"

std::mutex m;
int x, flag;
void first() {
  x = 1;
  flag = 1;
  m.lock();
  m.unlock();
}
void second() {
  m.lock();
  m.unlock();
  asm volatile("" : : "r"(flag));
  x = 2;
}

int main() { in_order(first, second); }
