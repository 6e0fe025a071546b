// A heap block with the stack of its allocation.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: Location is heap block of size 40 at 0x{{[0-9a-f]+}} allocated by main thread:
// CHECK-NEXT: #0 make_block{{.*}}location_heap.cpp:[[@LINE+7]]
// CHECK-NEXT: #1 main
#include <stdlib.h>

#include "two.h"

int *block;
__attribute__((noinline)) void make_block() { block = static_cast<int *>(malloc(40)); }
void first() { block[9] = 1; }
void second() { block[9] = 2; }

int main() {
  make_block();
  in_told_order(first, second);
  free(block);
}
