// A detached thread that main never waits for.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
#include <thread>

#include "order.h"

int shared;

int main() {
  std::thread([] {
    shared = 1;
    step();
  }).detach();
  await(1);
  shared = 2;
}
