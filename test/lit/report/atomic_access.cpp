// The report says which access was atomic.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: Atomic write of size 8 at
// CHECK: Previous read of size 8 at
#include "two.h"

long shared, seen;
void first() { seen = shared; }
void second() { __atomic_store_n(&shared, 1, __ATOMIC_RELAXED); }

int main() { in_told_order(first, second); }
