// The sections write neighbouring bytes of one granule: no conflict.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: predicted data race (pid=
#include <mutex>

#include "two.h"

std::mutex m;
int x;
alignas(8) char bytes[8];
void first() {
  x = 1;
  m.lock();
  bytes[1] = 1;
  m.unlock();
}
void second() {
  m.lock();
  bytes[2] = 1;
  m.unlock();
  x = 2;
}

int main() { in_order(first, second); }
