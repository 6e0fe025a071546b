// A thread's own stack variable, written by its creator while the thread still uses it.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
#include <thread>

#include "order.h"

int *place;

int main() {
  std::thread t([] {
    int local = 0;
    place = &local;
    step();
    await(2);
    local = 2;
    asm volatile("" : : "r"(place) : "memory");
  });
  await(1);
  *place = 1;
  step();
  t.join();
}
