// An acquire fence after the relaxed load, but no release fence before the relaxed store.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
#include <atomic>

#include "two.h"

std::atomic<int> ready;
int data, seen;
void first() {
  data = 42;
  ready.store(1, std::memory_order_relaxed);
}
void second() {
  while (!ready.load(std::memory_order_relaxed)) {
  }
  std::atomic_thread_fence(std::memory_order_acquire);
  seen = data;
}

int main() { in_told_order(first, second); }
