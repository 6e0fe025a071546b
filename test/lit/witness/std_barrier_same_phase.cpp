// Its twin: both writes are in one phase.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: predicted data race (pid=
// CHECK: which was checked
// CHECK-NOT: WARNING: PredRace
#include <barrier>

#include "figure.h"

std::mutex m;
std::barrier barrier(2);
int x;

int main() {
  std::thread t1([] {
    barrier.arrive_and_wait();
    x = 1;
    pass(m);
    step();
    await(2);
    barrier.arrive_and_wait();
  });
  std::thread t2([] {
    barrier.arrive_and_wait();
    await(1);
    pass(m);
    x = 2;
    step();
    barrier.arrive_and_wait();
  });
  t1.join();
  t2.join();
}
