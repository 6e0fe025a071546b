// Each thread holds a lock, but not the same one.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
#include <mutex>

#include "two.h"

std::mutex one, two;
int shared;
void first() {
  std::lock_guard<std::mutex> guard(one);
  shared = 1;
}
void second() {
  std::lock_guard<std::mutex> guard(two);
  shared = 2;
}

int main() { in_told_order(first, second); }
