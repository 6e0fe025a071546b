// Frames of functions that have returned are not in the stack.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race
// CHECK: Write of size 4
// CHECK-NOT: returned_long_ago
// CHECK: SUMMARY
#include "two.h"

int shared, other[2];
__attribute__((noinline)) void returned_long_ago(int me) { other[me]++; }
void first() {
  for (int i = 0; i < 10; i++) returned_long_ago(0);
  shared = 1;
}
void second() {
  for (int i = 0; i < 10; i++) returned_long_ago(1);
  shared = 2;
}

int main() { in_told_order(first, second); }
