// An atomic store and a plain load that a lock ordered in this run only.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: predicted data race (pid=
// CHECK: which was checked
// CHECK-NOT: WARNING: PredRace
#include <atomic>

#include "figure.h"
#include "two.h"

std::mutex m;
int x;
void first() {
  std::atomic_ref<int>(x).store(1, std::memory_order_relaxed);
  pass(m);
}
void second() {
  pass(m);
  asm volatile("" : : "r"(x));
}

int main() { in_order(first, second); }
