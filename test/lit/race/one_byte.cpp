// Single bytes.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
// CHECK: rite of size 1 at
#include "two.h"

char bytes[8];
void first() { bytes[5] = 1; }
void second() { bytes[5] = 2; }

int main() { in_told_order(first, second); }
