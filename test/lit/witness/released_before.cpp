// The write comes after the release that the other acquired, and only the lock ordered it in this run.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: predicted data race (pid=
// CHECK: which was checked
// CHECK-NOT: WARNING: PredRace
#include <atomic>

#include "figure.h"
#include "two.h"

std::mutex m;
std::atomic<int> flag;
int x;
void first() {
  flag.store(1, std::memory_order_release);
  x = 1;
  pass(m);
}
void second() {
  while (!flag.load(std::memory_order_acquire)) {
  }
  pass(m);
  x = 2;
}

int main() { in_order(first, second); }
