// Locks that are not nested: CP leaves the two unordered, but no schedule brings them together.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <mutex>

#include "two.h"

std::mutex a, b;
int x;
void first() {
  a.lock();
  b.lock();
  a.unlock();
  x = 1;
  b.unlock();
}
void second() {
  a.lock();
  b.lock();
  b.unlock();
  x = 2;
  a.unlock();
}

int main() { in_order(first, second); }
