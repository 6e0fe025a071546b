// The sections conflict inside a range that one of them copies.
// That is CP's order; nothing is read across, so OSR knows a schedule.
// RUN: %predrace_cxx %s -o %t
// RUN: env PREDRACE_OPTIONS=predict=cp %silent %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: predicted data race (pid=
// CHECK: which was checked
#include <string.h>

#include <mutex>

#include "two.h"

std::mutex m;
int x;
char from[100], to[100];
size_t size = 100;
void first() {
  x = 1;
  m.lock();
  memcpy(to, from, size);
  m.unlock();
}
void second() {
  m.lock();
  to[57] = 1;
  m.unlock();
  x = 2;
}

int main() { in_order(first, second); }
