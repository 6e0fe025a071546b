// Frames left by an exception are not in the stack.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race
// CHECK: Write of size 4
// CHECK-NEXT: #0 second
// CHECK-NEXT: #1 thread_two
// CHECK: Previous write of size 4
// CHECK-NEXT: #0 first
// CHECK-NEXT: #1 thread_one
#include "two.h"

int shared;
__attribute__((noinline)) void throws(int depth) {
  if (depth == 0) throw 1;
  throws(depth - 1);
  asm volatile("");
}
void catches() {
  try {
    throws(5);
  } catch (int) {
  }
}
void first() {
  catches();
  shared = 1;
}
void second() {
  catches();
  shared = 2;
}

int main() { in_told_order(first, second); }
