// realloc frees the old block while another thread's use of it is unordered.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
#include <stdlib.h>

#include "two.h"

char *block;
void first() { block[10] = 1; }
void second() { block = static_cast<char *>(realloc(block, 1 << 20)); }

int main() {
  block = static_cast<char *>(malloc(100));
  in_told_order(first, second);
  free(block);
}
