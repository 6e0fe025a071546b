// The same with std::shared_mutex.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
#include <shared_mutex>

#include "two.h"

std::shared_mutex lock;
int shared;
void first() {
  std::shared_lock<std::shared_mutex> guard(lock);
  shared = 1;
}
void second() {
  std::shared_lock<std::shared_mutex> guard(lock);
  shared = 2;
}

int main() { in_told_order(first, second); }
