// The two accesses are a thousand hand-overs apart.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: predicted data race (pid=
// CHECK: second
// CHECK: first
#include <mutex>

#include "figure.h"

std::mutex m;
int x;
void first() { x = 1; }
void second() { x = 2; }

int main() {
  auto take_turns = [](int me) {
    if (me == 0) first();
    for (int i = 0; i < 1000; i++) {
      await(2 * i + me);
      pass(m);
      step();
    }
    if (me == 1) second();
  };
  std::thread a(take_turns, 0), b(take_turns, 1);
  a.join();
  b.join();
}
