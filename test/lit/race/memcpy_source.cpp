// memcpy out of a block that another thread has written.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
#include <string.h>

#include "two.h"

char from[1000], to[1000];
size_t size = 1000;
void first() { from[500] = 1; }
void second() { memcpy(to, from, size); }

int main() { in_told_order(first, second); }
