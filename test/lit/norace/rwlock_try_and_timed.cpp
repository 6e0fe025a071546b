// The trying and the timed forms of a rwlock.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <pthread.h>
#include <time.h>

#include "two.h"

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int shared, seen;
void first() {
  if (pthread_rwlock_trywrlock(&lock) == 0) {
    shared = 1;
    pthread_rwlock_unlock(&lock);
  }
  if (pthread_rwlock_tryrdlock(&lock) == 0) {
    seen = shared;
    pthread_rwlock_unlock(&lock);
  }
}
void second() {
  timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  t.tv_sec += 100;
  if (pthread_rwlock_timedwrlock(&lock, &t) == 0) {
    shared = 2;
    seen = 3;
    pthread_rwlock_unlock(&lock);
  }
}

int main() {
  in_order(first, second);
  return shared == 2 && seen == 3 ? 0 : 1;
}
