// A predicted race names the hand-over that ordered the two in this run, with both its stacks.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: predicted data race
// CHECK: Write of size 4 at 0x{{[0-9a-f]+}} by thread T2:
// CHECK-NEXT: #0 second{{.*}}hand_over.cpp:[[@LINE+33]]
// CHECK: Previous write of size 4 at 0x{{[0-9a-f]+}} by thread T1:
// CHECK-NEXT: #0 first{{.*}}hand_over.cpp:[[@LINE+22]]
// CHECK: In this run the two were ordered only because T1 released mutex [[M:M[0-9]+]] before T2 acquired it:
// CHECK: T1 released it here:
// CHECK: first{{.*}}hand_over.cpp:[[@LINE+22]]
// CHECK: T2 acquired it here:
// CHECK: second{{.*}}hand_over.cpp:[[@LINE+23]]
// CHECK: T2 can take 'mutex' ([[M]]) before T1 does. In this schedule of the same run, which was checked,
// CHECK: T1 T2
// CHECK: acquires 'mutex' ([[M]]) second() hand_over.cpp:
// CHECK: releases 'mutex' ([[M]]) second() hand_over.cpp:
// CHECK: writes 'shared' first() hand_over.cpp:{{[0-9]+}} || writes 'shared' second() hand_over.cpp:
// CHECK: Mutex [[M]] (0x
// CHECK: Thread T{{[12]}} ({{finished|running}}) created by main thread at:
// CHECK: SUMMARY: PredRace: predicted data race {{.*}}hand_over.cpp:[[@LINE+18]]
#include <pthread.h>

#include "two.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int shared, one, two;

void first() {
  shared = 1;
  pthread_mutex_lock(&mutex);
  one = 1;
  pthread_mutex_unlock(&mutex);
}
void second() {
  pthread_mutex_lock(&mutex);
  two = 1;
  pthread_mutex_unlock(&mutex);
  shared = 2;
}

int main() { in_order(first, second); }
