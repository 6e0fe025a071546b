// The stack of a detached thread that ended becomes another thread's stack.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <pthread.h>

#include "order.h"

void touch(int *values) {
  for (int i = 0; i < 100; i++) values[i] = i;
}
void *body(void *) {
  int values[100];
  touch(values);
  step();
  return nullptr;
}

int main() {
  for (int i = 0; i < 50; i++) {
    pthread_t t;
    pthread_create(&t, nullptr, body, nullptr);
    pthread_detach(t);
    await(i + 1);
  }
}
