// A hand-over to a trylock.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: predicted data race (pid=
#include <mutex>

#include "two.h"

std::mutex m;
int x;
void first() {
  x = 1;
  m.lock();
  m.unlock();
}
void second() {
  if (m.try_lock()) m.unlock();
  x = 2;
}

int main() { in_order(first, second); }
