// A variable on main's stack, passed to both threads.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
#include "two.h"

int *place;
void first() { *place = 1; }
void second() { *place = 2; }

int main() {
  int local = 0;
  place = &local;
  in_told_order(first, second);
  return local == 7;
}
