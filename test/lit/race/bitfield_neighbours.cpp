// Two bit-fields of one storage unit are one memory location.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
#include "two.h"

struct Bits {
  unsigned low : 4;
  unsigned high : 4;
} bits;
void first() { bits.low = 1; }
void second() { bits.high = 1; }

int main() { in_told_order(first, second); }
