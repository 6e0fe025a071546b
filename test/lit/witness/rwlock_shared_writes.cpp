// Two writes in shared sections, which a writer kept apart in this run.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: predicted data race (pid=
// CHECK: which was checked
// CHECK-NOT: WARNING: PredRace
#include <mutex>
#include <shared_mutex>

#include "two.h"

std::shared_mutex lock;
int x;
void first() {
  std::shared_lock<std::shared_mutex> guard(lock);
  x = 1;
}
void second() {
  lock.lock();
  lock.unlock();
  std::shared_lock<std::shared_mutex> guard(lock);
  x = 2;
}

int main() { in_order(first, second); }
