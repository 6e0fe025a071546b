// memmove inside one block.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
#include <string.h>

#include "two.h"

char block[300];
size_t size = 200;
void first() { memmove(block + 50, block, size); }
void second() { block[249] = 1; }

int main() { in_told_order(first, second); }
