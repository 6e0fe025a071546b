// A program brings its own defaults; the environment wins over them.
// RUN: %predrace_cxx %s -o %t
// RUN: %exits 0 %t 2>&1 | FileCheck %s
// RUN: env PREDRACE_OPTIONS=predict=1 %exits 66 %t 2>&1 | FileCheck %s --check-prefix=GIVEN
// CHECK-NOT: WARNING
// CHECK: PredRace: stats:
// GIVEN: WARNING: PredRace: predicted data race
// GIVEN: PredRace: stats:
#include <mutex>

#include "two.h"

extern "C" const char *__predrace_default_options() { return "predict=0:stats=1"; }
std::mutex m;
int x;
void first() {
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
