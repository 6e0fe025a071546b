// A release store read by an acquire load.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <atomic>

#include "two.h"

std::atomic<int> ready;
int data, seen;
void first() {
  data = 42;
  ready.store(1, std::memory_order_release);
}
void second() {
  while (!ready.load(std::memory_order_acquire)) {
  }
  seen = data;
}

int main() { in_order(first, second); }
