// Figure 2(a) of the OSR paper: the schedule leaves the first section out.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: predicted data race (pid=
// CHECK: which was checked
// CHECK-NOT: WARNING: PredRace
#include "figure.h"
#include "two.h"

std::mutex m;
int x;
void first() {
  x = 1;
  pass(m);
}
void second() {
  m.lock();
  x = 2;
  m.unlock();
}

int main() { in_order(first, second); }
