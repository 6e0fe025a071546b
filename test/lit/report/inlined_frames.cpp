// A function that was inlined has its frame in the stack all the same.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race
// CHECK: #0 innermost
// CHECK-NEXT: #1 outer
// CHECK-NEXT: #2 second
// CHECK: #0 innermost
// CHECK-NEXT: #1 outer
// CHECK-NEXT: #2 first
#include "two.h"

int shared;
static inline __attribute__((always_inline)) void innermost(int value) { shared = value; }
static inline __attribute__((always_inline)) void outer(int value) { innermost(value + 1); }
void first() { outer(1); }
void second() { outer(2); }

int main() { in_told_order(first, second); }
