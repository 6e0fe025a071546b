// Locks that are not well nested make no prediction at all, wherever they are.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <mutex>

#include "two.h"

std::mutex m, a, b;
int x;
void first() {
  a.lock();
  b.lock();
  a.unlock();
  b.unlock();
  x = 1;
  m.lock();
  m.unlock();
}
void second() {
  m.lock();
  m.unlock();
  x = 2;
}

int main() { in_order(first, second); }
