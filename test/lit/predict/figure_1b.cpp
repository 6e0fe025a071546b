// Figure 1(b): the sections conflict on y, so no schedule can turn them round.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <mutex>

#include "two.h"

std::mutex m;
int x, y;
void first() {
  x = 1;
  m.lock();
  y = 1;
  m.unlock();
}
void second() {
  m.lock();
  y = 2;
  m.unlock();
  x = 2;
}

int main() { in_order(first, second); }
