// The twin of race/c_program.c.
// RUN: %predrace_cc %s -o %t
// RUN: %silent %t
#include "two.h"

int shared;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void add(void) {
  pthread_mutex_lock(&mutex);
  shared++;
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  in_order(add, add);
  return shared == 2 ? 0 : 1;
}
