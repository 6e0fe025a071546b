// A release store that is read by a relaxed load.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
#include <atomic>

#include "two.h"

std::atomic<int> ready;
int data, seen;
void first() {
  data = 42;
  ready.store(1, std::memory_order_release);
}
void second() {
  while (!ready.load(std::memory_order_relaxed)) {
  }
  seen = data;
}

int main() { in_told_order(first, second); }
