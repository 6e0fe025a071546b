// The sections conflict inside a range that one of them copies.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <string.h>

#include <mutex>

#include "two.h"

std::mutex m;
int x;
char from[100], to[100];
size_t size = 100;
void first() {
  x = 1;
  m.lock();
  memcpy(to, from, size);
  m.unlock();
}
void second() {
  m.lock();
  to[57] = 1;
  m.unlock();
  x = 2;
}

int main() { in_order(first, second); }
