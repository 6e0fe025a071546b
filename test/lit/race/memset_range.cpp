// memset over a field that another thread reads.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
#include <string.h>

#include "two.h"

char block[300];
size_t size = 300;
int seen;
void first() { memset(block, 7, size); }
void second() { seen = block[150]; }

int main() { in_told_order(first, second); }
