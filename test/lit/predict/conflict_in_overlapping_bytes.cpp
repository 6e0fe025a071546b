// The sections' accesses differ in size, but overlap: a conflict.
// That is CP's order; nothing is read across, so OSR knows a schedule.
// RUN: %predrace_cxx %s -o %t
// RUN: env PREDRACE_OPTIONS=predict=cp %silent %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: predicted data race (pid=
// CHECK: which was checked
#include <mutex>

#include "two.h"

std::mutex m;
int x;
union Overlap {
  long whole;
  char part[8];
} overlap;
void first() {
  x = 1;
  m.lock();
  overlap.whole = 1;
  m.unlock();
}
void second() {
  m.lock();
  overlap.part[6] = 1;
  m.unlock();
  x = 2;
}

int main() { in_order(first, second); }
