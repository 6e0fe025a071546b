// Its twin: the first writes before its section, so the schedule leaves that out. CP orders the two.
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
  std::thread([] { x = 2; }).join();
  m.unlock();
}

int main() { in_order(first, second); }
