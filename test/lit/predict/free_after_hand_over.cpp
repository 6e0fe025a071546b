// The hidden pair is a use and a free.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: predicted data race (pid=
#include <stdlib.h>

#include <mutex>

#include "two.h"

std::mutex m;
int *block;
void first() {
  block[3] = 1;
  m.lock();
  m.unlock();
}
void second() {
  m.lock();
  m.unlock();
  free(block);
}

int main() {
  block = static_cast<int *>(malloc(64));
  in_order(first, second);
}
