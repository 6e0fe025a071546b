// A thread-local variable of another thread.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: Location is TLS of thread T1.
#include "two.h"

thread_local int mine;
int *place;
void first() {
  mine = 1;
  __atomic_store_n(&place, &mine, __ATOMIC_RELAXED);
  step();
  await(2);
}
void second() {
  *__atomic_load_n(&place, __ATOMIC_RELAXED) = 2;
  step();
}

int main() { in_told_order(first, second); }
