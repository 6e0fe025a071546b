// Two unordered writes of a global.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
// CHECK: rite of size 4 at
// CHECK: second
// CHECK: rite of size 4 at
// CHECK: first
// CHECK: SUMMARY: PredRace: data race
#include "two.h"

int shared;
void first() { shared = 1; }
void second() { shared = 2; }

int main() { in_told_order(first, second); }
