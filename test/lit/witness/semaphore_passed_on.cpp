// A semaphore passes on what its poster had seen by a relaxed load: x = 1 comes first in every schedule.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <semaphore.h>

#include <atomic>

#include "figure.h"

std::mutex m;
std::atomic<int> flag;
sem_t posted;
int x;

int main() {
  sem_init(&posted, 0, 0);
  std::thread t1([] {
    x = 1;
    flag.store(1, std::memory_order_relaxed);
    pass(m);
    step();
  });
  std::thread t2([] {
    await(1);
    (void)flag.load(std::memory_order_relaxed);
    sem_post(&posted);
  });
  std::thread t3([] {
    await(1);
    pass(m);
    sem_wait(&posted);
    x = 2;
  });
  for (std::thread *t : {&t1, &t2, &t3}) t->join();
}
