// A thread-local variable whose address another thread got.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
#include "two.h"

thread_local int mine;
int *place;
void first() {
  mine = 1;
  place = &mine;
  step();
  await(2);
}
void second() {
  *place = 2;
  step();
}

int main() { in_told_order(first, second); }
