// A block of operator new[].
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
#include "two.h"

long *block;
void first() { block[7] = 1; }
void second() { block[7] = 2; }

int main() {
  block = new long[8];
  in_told_order(first, second);
  delete[] block;
}
