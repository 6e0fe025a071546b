// The access is just outside the critical section.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
#include <mutex>

#include "two.h"

std::mutex mutex;
int shared;
void first() {
  mutex.lock();
  mutex.unlock();
  shared = 1;
}
void second() {
  mutex.lock();
  shared = 2;
  mutex.unlock();
}

int main() { in_told_order(first, second); }
