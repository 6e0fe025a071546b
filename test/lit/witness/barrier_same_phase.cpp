// Its twin: both writes are in one phase. The schedule goes through the first generation of the barrier.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: predicted data race (pid=
// CHECK: which was checked
// CHECK-NOT: WARNING: PredRace
#include <pthread.h>

#include "figure.h"

std::mutex m;
pthread_barrier_t barrier;
int x;

int main() {
  pthread_barrier_init(&barrier, nullptr, 2);
  std::thread t1([] {
    pthread_barrier_wait(&barrier);
    x = 1;
    pass(m);
    step();
    pthread_barrier_wait(&barrier);
  });
  std::thread t2([] {
    pthread_barrier_wait(&barrier);
    await(1);
    pass(m);
    x = 2;
    pthread_barrier_wait(&barrier);
  });
  t1.join();
  t2.join();
}
