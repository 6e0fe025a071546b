// A plain write against an atomic read of the same variable.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
#include "two.h"

int shared, seen;
void first() { shared = 1; }
void second() { seen = __atomic_load_n(&shared, __ATOMIC_SEQ_CST); }

int main() { in_told_order(first, second); }
