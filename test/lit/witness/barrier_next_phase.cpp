// The second write is in the next phase of the barrier.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
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
    pthread_barrier_wait(&barrier);
    x = 2;
  });
  t1.join();
  t2.join();
}
