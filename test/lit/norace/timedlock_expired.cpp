// A timed lock that gives up takes nothing, and the program sees ETIMEDOUT.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "order.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
void *body(void *) {
  timespec past = {1, 0};
  int result = pthread_mutex_timedlock(&mutex, &past);
  return result == ETIMEDOUT ? nullptr : &mutex;
}

int main() {
  pthread_mutex_lock(&mutex);
  pthread_t t;
  pthread_create(&t, nullptr, body, nullptr);
  void *bad;
  pthread_join(t, &bad);
  pthread_mutex_unlock(&mutex);
  return bad ? 1 : 0;
}
