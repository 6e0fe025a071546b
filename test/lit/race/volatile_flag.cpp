// volatile is not synchronisation.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
#include "two.h"

volatile int flag;
void first() { flag = 1; }
void second() {
  while (!flag) {
  }
}

int main() { in_told_order(first, second); }
