// Two hand-overs inside each other, none with a conflict.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: predicted data race (pid=
#include <mutex>

#include "two.h"

std::mutex outer, inner;
int x, y, z;
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
    z = 1;
  }
  x = 2;
}

int main() { in_order(first, second); }
