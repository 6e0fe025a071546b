// A heap block reached by two threads.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
#include <stdlib.h>

#include "two.h"

int *block;
void first() { block[3] = 1; }
void second() { block[3] = 2; }

int main() {
  block = static_cast<int *>(malloc(10 * sizeof(int)));
  in_told_order(first, second);
  free(block);
}
