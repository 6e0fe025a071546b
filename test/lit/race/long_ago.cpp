// The first access is half a million accesses old when the second comes.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
// CHECK: second
// CHECK: first
#include "two.h"

int shared;
int others[1000];
void sweep() {
  for (int round = 0; round < 500; round++)
    for (int &x : others) x += round;
}
void first() {
  shared = 1;
  sweep();
}
void second() { shared = 2; }

int main() { in_told_order(first, second); }
