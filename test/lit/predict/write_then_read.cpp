// The hidden pair is a write and a read: the read's own reads-from does not count against it.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: predicted data race (pid=
#include <mutex>

#include "two.h"

std::mutex m;
int x, seen;
void first() {
  x = 1;
  m.lock();
  m.unlock();
}
void second() {
  m.lock();
  m.unlock();
  seen = x;
}

int main() { in_order(first, second); }
