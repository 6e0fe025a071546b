// Where the threads were created, also by other threads.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: Write of size 4 at 0x{{[0-9a-f]+}} by thread T2:
// CHECK: Previous write of size 4 at 0x{{[0-9a-f]+}} by thread T1:
// CHECK-DAG: Thread T1 ({{.*}}) created by main thread at:
// CHECK-DAG: Thread T2 ({{.*}}) created by thread T1 at:
// CHECK-DAG: start_inner
#include <pthread.h>

#include "order.h"

int shared;
void *inner(void *) {
  await(1);
  told();
  shared = 2;
  return nullptr;
}
__attribute__((noinline)) void start_inner() {
  pthread_t t;
  pthread_create(&t, nullptr, inner, nullptr);
  shared = 1;
  told();
  step();
  pthread_join(t, nullptr);
}
void *outer(void *) {
  start_inner();
  return nullptr;
}

int main() {
  pthread_t t;
  pthread_create(&t, nullptr, outer, nullptr);
  pthread_join(t, nullptr);
}
