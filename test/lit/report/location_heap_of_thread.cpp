// A block allocated by one of the threads, with operator new.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: Location is heap block of size 24 at 0x{{[0-9a-f]+}} allocated by thread T1:
// CHECK: first
#include "two.h"

struct Node {
  long a, b, c;
} *node;
void first() {
  Node *made = new Node;
  made->b = 1;
  __atomic_store_n(&node, made, __ATOMIC_RELAXED);
}
void second() { __atomic_load_n(&node, __ATOMIC_RELAXED)->b = 2; }

int main() { in_told_order(first, second); }
