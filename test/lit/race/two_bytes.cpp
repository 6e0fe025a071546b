// Two-byte accesses.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
// CHECK: rite of size 2 at
#include "two.h"

short shared;
void first() { shared = 1; }
void second() { shared = 2; }

int main() { in_told_order(first, second); }
