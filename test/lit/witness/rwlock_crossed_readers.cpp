// Its twin: both only share the lock, so the schedule has both in it.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: predicted data race (pid=
// CHECK: which was checked
// CHECK-NOT: WARNING: PredRace
#include <mutex>
#include <shared_mutex>

#include "two.h"

std::mutex m;
std::shared_mutex lock;
int x;
void first() {
  std::lock_guard<std::mutex> guard(m);
  lock.lock_shared();
  lock.unlock_shared();
  x = 1;
}
void second() {
  std::shared_lock<std::shared_mutex> guard(lock);
  m.lock();
  m.unlock();
  x = 2;
}

int main() { in_order(first, second); }
