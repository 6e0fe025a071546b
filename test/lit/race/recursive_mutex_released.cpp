// A recursive mutex protects only until its outermost unlock.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
#include <mutex>

#include "two.h"

std::recursive_mutex mutex;
int shared;
void first() {
  mutex.lock();
  mutex.lock();
  mutex.unlock();
  mutex.unlock();
  shared = 1;
}
void second() {
  std::lock_guard<std::recursive_mutex> guard(mutex);
  shared = 2;
}

int main() { in_told_order(first, second); }
