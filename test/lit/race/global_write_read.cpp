// A write, then an unordered read.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
// CHECK: ead of size 4 at
// CHECK: second
// CHECK: rite of size 4 at
// CHECK: first
#include "two.h"

int shared, seen;
void first() { shared = 1; }
void second() { seen = shared; }

int main() { in_told_order(first, second); }
