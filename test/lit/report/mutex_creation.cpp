// Where a mutex was made by pthread_mutex_init.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: Mutex M{{[0-9]+}} (0x{{[0-9a-f]+}}) created at:
// CHECK-NEXT: #0 make_mutex{{.*}}mutex_creation.cpp:[[@LINE+7]]
// CHECK-NEXT: #1 main
#include "two.h"

pthread_mutex_t mutex;
int shared;
__attribute__((noinline)) void make_mutex() {
  pthread_mutex_init(&mutex, nullptr);
  asm volatile("");
}
void first() { shared = 1; }
void second() {
  pthread_mutex_lock(&mutex);
  shared = 2;
  pthread_mutex_unlock(&mutex);
}

int main() {
  make_mutex();
  in_told_order(first, second);
}
