// A four-byte write and a one-byte write inside it.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
// CHECK: rite of size 1 at
// CHECK: rite of size 4 at
#include "two.h"

union Overlap {
  int whole;
  char part[4];
} shared;
void first() { shared.whole = 1; }
void second() { shared.part[2] = 2; }

int main() { in_told_order(first, second); }
