// Relaxed flag with a release and an acquire fence. (TSan 19 reports a race here.)
// UNSUPPORTED: tsan
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <atomic>

#include "two.h"

std::atomic<int> ready;
int data, seen;
void first() {
  data = 42;
  std::atomic_thread_fence(std::memory_order_release);
  ready.store(1, std::memory_order_relaxed);
}
void second() {
  while (!ready.load(std::memory_order_relaxed)) {
  }
  std::atomic_thread_fence(std::memory_order_acquire);
  seen = data;
}

int main() { in_order(first, second); }
