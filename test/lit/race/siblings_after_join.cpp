// Joining one thread says nothing about its sibling.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
#include <thread>

#include "order.h"

int shared;

int main() {
  std::thread a([] {
    shared = 1;
    step();
  });
  std::thread b([] {});
  b.join();
  await(1);
  shared = 2;
  a.join();
}
