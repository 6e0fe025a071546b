// pthread_mutex_timedlock and pthread_mutex_clocklock.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <pthread.h>
#include <time.h>

#include "two.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int shared;
timespec later(clockid_t clock) {
  timespec t;
  clock_gettime(clock, &t);
  t.tv_sec += 100;
  return t;
}
void first() {
  timespec t = later(CLOCK_REALTIME);
  if (pthread_mutex_timedlock(&mutex, &t) == 0) {
    shared = 1;
    pthread_mutex_unlock(&mutex);
  }
}
void second() {
  timespec t = later(CLOCK_MONOTONIC);
  if (pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &t) == 0) {
    shared = 2;
    pthread_mutex_unlock(&mutex);
  }
}

int main() {
  in_order(first, second);
  return shared == 2 ? 0 : 1;
}
