// Two sections that only read the same variable can be turned round.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: predicted data race (pid=
#include <mutex>

#include "two.h"

std::mutex m;
int x, y;
void first() {
  x = 1;
  m.lock();
  asm volatile("" : : "r"(y));
  m.unlock();
}
void second() {
  m.lock();
  asm volatile("" : : "r"(y));
  m.unlock();
  x = 2;
}

int main() { in_order(first, second); }
