// The earlier stack is whole, however many accesses and calls were made since.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race
// CHECK: #0 second
// CHECK: Previous write
// CHECK-NEXT: #0 write_early
// CHECK-NEXT: #1 first
// CHECK-NOT: failed to restore
#include "two.h"

int shared;
long others[4096];
__attribute__((noinline)) void write_early() { shared = 1; }
__attribute__((noinline)) void one_more(long i) { others[i % 4096] += i; }
void first() {
  write_early();
  for (long i = 0; i < 2000000; i++) one_more(i);
}
void second() { shared = 2; }

int main() { in_told_order(first, second); }
