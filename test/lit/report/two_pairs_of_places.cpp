// Two pairs of lines make two reports.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race
// CHECK: WARNING: PredRace: data race
// CHECK-NOT: WARNING: PredRace
// CHECK: PredRace: reported 2 warnings
#include "two.h"

int a, b;
void first() {
  a = 1;
  b = 1;
}
void second() {
  a = 2;
  b = 2;
}

int main() { in_told_order(first, second); }
