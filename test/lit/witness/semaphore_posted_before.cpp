// The post came before the write: it orders nothing, and the lock only in this run.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: predicted data race (pid=
// CHECK: which was checked
// CHECK-NOT: WARNING: PredRace
#include <semaphore.h>

#include "figure.h"
#include "two.h"

std::mutex m;
sem_t posted;
int x;
void first() {
  sem_post(&posted);
  x = 1;
  pass(m);
}
void second() {
  sem_wait(&posted);
  pass(m);
  x = 2;
}

int main() {
  sem_init(&posted, 0, 0);
  in_order(first, second);
}
