// A program in C.
// RUN: %predrace_cc %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
// CHECK: second
// CHECK: first
#include "two.h"

int shared;
static void first(void) { shared = 1; }
static void second(void) { shared = 2; }

int main(void) {
  in_told_order(first, second);
  return shared == 7;
}
