// Both accesses with complete stacks, the later one first, down to the thread's function.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: ==================
// CHECK-NEXT: WARNING: PredRace: data race (pid={{[0-9]+}})
// CHECK-NEXT: Write of size 4 at 0x{{[0-9a-f]+}} by thread T2:
// CHECK-NEXT: #0 write_deep(int){{.*}}both_stacks.cpp:[[@LINE+16]]
// CHECK-NEXT: #1 middle(int){{.*}}both_stacks.cpp:[[@LINE+18]]
// CHECK-NEXT: #2 second(){{.*}}both_stacks.cpp:[[@LINE+26]]
// CHECK-NEXT: #3 thread_two
// CHECK: Previous write of size 4 at 0x{{[0-9a-f]+}} by thread T1:
// CHECK-NEXT: #0 write_deep(int){{.*}}both_stacks.cpp:[[@LINE+11]]
// CHECK-NEXT: #1 middle(int){{.*}}both_stacks.cpp:[[@LINE+13]]
// CHECK-NEXT: #2 first(){{.*}}both_stacks.cpp:[[@LINE+17]]
// CHECK-NEXT: #3 thread_one
// CHECK: SUMMARY: PredRace: data race {{.*}}both_stacks.cpp:[[@LINE+7]]{{.*}} in write_deep(int)
// CHECK-NEXT: ==================
// CHECK: PredRace: reported 1 warning
#include "two.h"

int shared;

__attribute__((noinline)) void write_deep(int value) { shared = value; }

__attribute__((noinline)) void middle(int value) {
  write_deep(value);
  asm volatile("");
}

void first() {
  middle(1);
  asm volatile("");
}
void second() {
  middle(2);
  asm volatile("");
}

int main() { in_told_order(first, second); }
