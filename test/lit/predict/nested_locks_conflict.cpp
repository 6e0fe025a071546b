// A conflict under the inner lock orders the outer sections too.
// That is CP's order; nothing is read across, so OSR knows a schedule.
// RUN: %predrace_cxx %s -o %t
// RUN: env PREDRACE_OPTIONS=predict=cp %silent %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: predicted data race (pid=
// CHECK: which was checked
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
