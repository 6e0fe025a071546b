// A block is used by one thread and freed by another that nothing orders after it.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
#include <stdlib.h>

#include "two.h"

int *block;
void first() { block[2] = 1; }
void second() { free(block); }

int main() {
  block = static_cast<int *>(malloc(64));
  in_told_order(first, second);
}
