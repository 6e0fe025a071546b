// The destructor of a global runs while a detached thread still uses it.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
#include <thread>

#include "order.h"

struct Global {
  int value = 0;
  ~Global() {
    await(1);
    value = 2;
  }
} global;

int main() {
  std::thread([] {
    global.value = 1;
    step();
  }).detach();
}
