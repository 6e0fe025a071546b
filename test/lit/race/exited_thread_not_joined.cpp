// A thread that has long ended, but was not joined before the access.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
#include <pthread.h>
#include <signal.h>

#include "order.h"

int shared;
void *body(void *) {
  shared = 1;
  step();
  return nullptr;
}

int main() {
  pthread_t t;
  pthread_create(&t, nullptr, body, nullptr);
  await(1);
  for (int i = 0; i < 1000; i++) sched_yield();
  shared = 2;
  pthread_join(t, nullptr);
}
