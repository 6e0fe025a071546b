// far_apart N: two accesses that only a lock hand-over orders, with N sections of two other threads between
// them.
#include <pthread.h>
#include <stdlib.h>

#include "two.h"

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, busy = PTHREAD_MUTEX_INITIALIZER;
int x;
long counter, rounds;

void* work(void*) {
  for (long i = 0; i < rounds; ++i) {
    pthread_mutex_lock(&busy);
    ++counter;
    pthread_mutex_unlock(&busy);
  }
  return nullptr;
}
void first() {
  x = 1;
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  pthread_t a, b;
  pthread_create(&a, nullptr, work, nullptr);
  pthread_create(&b, nullptr, work, nullptr);
  pthread_join(a, nullptr);
  pthread_join(b, nullptr);
}
void second() {
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  x = 2;
}

int main(int, char** argv) {
  rounds = atol(argv[1]) / 2;
  in_order(first, second);
}
