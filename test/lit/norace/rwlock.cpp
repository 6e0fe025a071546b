// A writer section, then a reader section, then a writer section.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <pthread.h>

#include "two.h"

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int shared, seen;
void write() {
  pthread_rwlock_wrlock(&lock);
  shared++;
  pthread_rwlock_unlock(&lock);
}
void read() {
  pthread_rwlock_rdlock(&lock);
  seen = shared;
  pthread_rwlock_unlock(&lock);
}
void first() {
  write();
  read();
}
void second() { write(); }

int main() {
  in_order(first, second);
  read();
}
