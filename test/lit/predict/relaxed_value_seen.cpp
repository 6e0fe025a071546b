// The relaxed load saw the store's value: no happens-before, but no schedule without it either.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <atomic>
#include <mutex>

#include "two.h"

std::mutex m;
std::atomic<int> flag;
int x;
void first() {
  x = 1;
  m.lock();
  m.unlock();
  flag.store(1, std::memory_order_relaxed);
}
void second() {
  while (!flag.load(std::memory_order_relaxed)) {
  }
  m.lock();
  m.unlock();
  x = 2;
}

int main() { in_order(first, second); }
