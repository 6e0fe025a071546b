// Locks that are not well nested void what CP promises; the schedule is a proof all the same.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: predicted data race (pid=
// CHECK: which was checked
#include <mutex>

#include "two.h"

std::mutex m, a, b;
int x;
void first() {
  a.lock();
  b.lock();
  a.unlock();
  b.unlock();
  x = 1;
  m.lock();
  m.unlock();
}
void second() {
  m.lock();
  m.unlock();
  x = 2;
}

int main() { in_order(first, second); }
