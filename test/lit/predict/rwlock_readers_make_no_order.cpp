// Two read sections order nothing, not even by happens-before.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
// CHECK-NOT: PredRace: predicted
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
  lock.lock_shared();
  lock.unlock_shared();
  x = 2;
}

int main() { in_order(first, second); }
