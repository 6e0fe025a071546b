// Its twin: the first writes once more when it has released the semaphore.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: predicted data race (pid=
// CHECK: which was checked
// CHECK-NOT: WARNING: PredRace
#include <semaphore>

#include "figure.h"
#include "two.h"

std::mutex m;
std::binary_semaphore available(1);
int x;
void first() {
  available.acquire();
  available.release();
  x = 1;
  pass(m);
}
void second() {
  available.acquire();
  pass(m);
  x = 2;
  available.release();
}

int main() { in_order(first, second); }
