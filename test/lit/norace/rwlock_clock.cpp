// The *_clock* forms of a rwlock. (TSan 19 does not know them.)
// UNSUPPORTED: tsan
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <pthread.h>
#include <time.h>

#include "two.h"

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int shared, seen;
timespec later() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  t.tv_sec += 100;
  return t;
}
void first() {
  timespec t = later();
  pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &t);
  shared = 1;
  pthread_rwlock_unlock(&lock);
}
void second() {
  timespec t = later();
  pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &t);
  seen = shared;
  pthread_rwlock_unlock(&lock);
}

int main() {
  in_order(first, second);
  return seen == 1 ? 0 : 1;
}
