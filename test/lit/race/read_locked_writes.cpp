// Two writers that both hold a rwlock for reading only.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
#include <pthread.h>

#include "two.h"

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int shared;
void first() {
  pthread_rwlock_rdlock(&lock);
  shared = 1;
  pthread_rwlock_unlock(&lock);
}
void second() {
  pthread_rwlock_rdlock(&lock);
  shared = 2;
  pthread_rwlock_unlock(&lock);
}

int main() { in_told_order(first, second); }
