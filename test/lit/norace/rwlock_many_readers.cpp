// Readers read at the same time; a writer comes when all of them are gone.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <pthread.h>

#include <thread>
#include <vector>

#include "order.h"

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int shared = 1;

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; i++)
    threads.emplace_back([] {
      pthread_rwlock_rdlock(&lock);
      int seen = shared;
      step();
      await(4);
      asm volatile("" : : "r"(seen));
      pthread_rwlock_unlock(&lock);
    });
  threads.emplace_back([] {
    await(4);
    pthread_rwlock_wrlock(&lock);
    shared = 2;
    pthread_rwlock_unlock(&lock);
  });
  for (auto &t : threads) t.join();
}
