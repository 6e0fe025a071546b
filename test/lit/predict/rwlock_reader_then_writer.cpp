// A read section, then a write section.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: predicted data race (pid=
#include <shared_mutex>

#include "two.h"

std::shared_mutex lock;
int x;
void first() {
  x = 1;
  lock.lock_shared();
  lock.unlock_shared();
}
void second() {
  lock.lock();
  lock.unlock();
  x = 2;
}

int main() { in_order(first, second); }
