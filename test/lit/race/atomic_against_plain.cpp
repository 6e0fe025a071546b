// An atomic update against a plain read of the same variable.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
#include "two.h"

int shared, seen;
void first() { __atomic_fetch_add(&shared, 1, __ATOMIC_SEQ_CST); }
void second() { seen = shared; }

int main() { in_told_order(first, second); }
