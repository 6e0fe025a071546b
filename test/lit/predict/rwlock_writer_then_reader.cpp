// An empty write section and an empty read section can be turned round.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: predicted data race (pid=
#include <shared_mutex>

#include "two.h"

std::shared_mutex lock;
int x;
void first() {
  x = 1;
  lock.lock();
  lock.unlock();
}
void second() {
  lock.lock_shared();
  lock.unlock_shared();
  x = 2;
}

int main() { in_order(first, second); }
