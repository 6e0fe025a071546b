// The same field of a struct; the neighbour field is each thread's own.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
// CHECK: rite of size 2 at
#include "two.h"

struct Pair {
  short own[2];
  short common;
} pair;
void first() {
  pair.own[0] = 1;
  pair.common = 1;
}
void second() {
  pair.own[1] = 1;
  pair.common = 2;
}

int main() { in_told_order(first, second); }
