// A repeated access in the same segment, but now inside a lock: rule (a) needs it.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <mutex>

#include "two.h"

std::mutex m;
int x, y;
void first() {
  x = 1;
  y = 1;
  m.lock();
  y = 2;
  m.unlock();
}
void second() {
  m.lock();
  y = 3;
  m.unlock();
  x = 2;
}

int main() { in_order(first, second); }
