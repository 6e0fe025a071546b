// A read, then an unordered write.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
// CHECK: rite of size 4 at
// CHECK: second
// CHECK: ead of size 4 at
// CHECK: first
#include "two.h"

int shared, seen;
void first() { seen = shared; }
void second() { shared = 1; }

int main() { in_told_order(first, second); }
