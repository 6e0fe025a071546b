// A write and a read in the sections are a conflict as well.
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
  asm volatile("" : : "r"(y));
  m.unlock();
  x = 2;
}

int main() { in_order(first, second); }
