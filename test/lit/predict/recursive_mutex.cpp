// Only the outermost section of a recursive mutex counts.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: predicted data race (pid=
#include <mutex>

#include "two.h"

std::recursive_mutex m;
int x, y, z;
void first() {
  x = 1;
  std::lock_guard<std::recursive_mutex> a(m);
  std::lock_guard<std::recursive_mutex> b(m);
  y = 1;
}
void second() {
  {
    std::lock_guard<std::recursive_mutex> a(m);
    std::lock_guard<std::recursive_mutex> b(m);
    z = 1;
  }
  x = 2;
}

int main() { in_order(first, second); }
