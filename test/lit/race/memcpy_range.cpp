// memcpy into a block whose last byte another thread writes.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
#include <string.h>

#include "two.h"

char from[1000], to[1000];
size_t size = 1000;
void first() { memcpy(to, from, size); }
void second() { to[999] = 1; }

int main() { in_told_order(first, second); }
