// A conflict under the inner lock orders the outer sections too.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <mutex>

#include "two.h"

std::mutex outer, inner;
int x, y;
void first() {
  x = 1;
  std::lock_guard<std::mutex> a(outer);
  std::lock_guard<std::mutex> b(inner);
  y = 1;
}
void second() {
  {
    std::lock_guard<std::mutex> a(outer);
    std::lock_guard<std::mutex> b(inner);
    y = 2;
  }
  x = 2;
}

int main() { in_order(first, second); }
