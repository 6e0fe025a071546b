// A barrier passes on what another of its threads saw by a relaxed load: x = 1 comes first in every schedule.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <pthread.h>

#include <atomic>

#include "figure.h"

std::mutex m;
std::atomic<int> flag;
pthread_barrier_t barrier;
int x;

int main() {
  pthread_barrier_init(&barrier, nullptr, 2);
  std::thread t1([] {
    x = 1;
    flag.store(1, std::memory_order_relaxed);
    pass(m);
    step();
  });
  std::thread t2([] {
    await(1);
    (void)flag.load(std::memory_order_relaxed);
    pthread_barrier_wait(&barrier);
  });
  std::thread t3([] {
    await(1);
    pthread_barrier_wait(&barrier);
    pass(m);
    x = 2;
  });
  for (std::thread *t : {&t1, &t2, &t3}) t->join();
}
