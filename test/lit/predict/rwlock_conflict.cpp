// What the writer writes is what the reader reads: ordered.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <shared_mutex>

#include "two.h"

std::shared_mutex lock;
int x, y;
void first() {
  x = 1;
  lock.lock();
  y = 1;
  lock.unlock();
}
void second() {
  lock.lock_shared();
  asm volatile("" : : "r"(y));
  lock.unlock_shared();
  x = 2;
}

int main() { in_order(first, second); }
