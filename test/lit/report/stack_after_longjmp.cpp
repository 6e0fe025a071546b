// Frames left by longjmp are not in the stack.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race
// CHECK: Write of size 4
// CHECK-NEXT: #0 second
// CHECK-NEXT: #1 thread_two
#include <setjmp.h>

#include "two.h"

int shared;
thread_local jmp_buf target;
__attribute__((noinline)) void jumps(int depth) {
  if (depth == 0) longjmp(target, 1);
  jumps(depth - 1);
  asm volatile("");
}
void first() { shared = 1; }
void second() {
  if (!setjmp(target)) jumps(5);
  shared = 2;
}

int main() { in_told_order(first, second); }
