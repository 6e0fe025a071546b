// The hidden pair is a read and a write.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: predicted data race (pid=
#include <mutex>

#include "two.h"

std::mutex m;
int x, seen;
void first() {
  seen = x;
  m.lock();
  m.unlock();
}
void second() {
  m.lock();
  m.unlock();
  x = 2;
}

int main() { in_order(first, second); }
