// Assigning a large struct is a copy of all of it.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
#include "two.h"

struct Large {
  int values[100];
} large, other;
void first() { large = other; }
void second() { large.values[99] = 1; }

int main() { in_told_order(first, second); }
