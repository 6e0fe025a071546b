// The second access is in a thread that the receiver of the lock creates. Another schedule shows the race,
// and OSR finds it. CP does not: it is closed under composition with happens-before, and a fork is one of its
// edges.
// RUN: %predrace_cxx %s -o %t
// RUN: env PREDRACE_OPTIONS=predict=cp %silent %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: predicted data race (pid=
// CHECK: which was checked
#include <mutex>
#include <thread>

#include "two.h"

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
  std::thread([] { x = 2; }).join();
}

int main() { in_order(first, second); }
