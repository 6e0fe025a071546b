// A variable on another thread's stack.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: Location is stack of thread T1.
#include "two.h"

int *place;
void first() {
  int local = 1;
  __atomic_store_n(&place, &local, __ATOMIC_RELAXED);
  local = 2;
  asm volatile("" : : "r"(&local) : "memory");
  step();
  await(2);
}
void second() {
  *__atomic_load_n(&place, __ATOMIC_RELAXED) = 3;
  step();
}

int main() { in_told_order(first, second); }
