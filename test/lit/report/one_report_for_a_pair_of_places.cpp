// A hundred variables raced on by the same two lines make one report.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race
// CHECK-NOT: WARNING: PredRace
// CHECK: PredRace: reported 1 warning
#include "two.h"

int values[100];
void first() {
  for (int &value : values) value = 1;
}
void second() {
  for (int &value : values) value = 2;
}

int main() { in_told_order(first, second); }
