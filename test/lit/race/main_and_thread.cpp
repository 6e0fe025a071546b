// The main thread writes between creating a thread and joining it.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
// CHECK: main thread
#include <thread>

#include "order.h"

int shared;

int main() {
  std::thread t([] {
    shared = 1;
    step();
  });
  await(1);
  shared = 2;
  t.join();
}
