// No lock is handed over, so the race was there in this very run.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
// CHECK-NOT: PredRace: predicted
#include <mutex>

#include "two.h"

std::mutex m, n;
int x;
void first() {
  x = 1;
  m.lock();
  m.unlock();
}
void second() {
  n.lock();
  n.unlock();
  x = 2;
}

int main() { in_order(first, second); }
