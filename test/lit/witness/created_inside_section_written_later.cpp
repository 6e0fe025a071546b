// The creator writes after the section that it created the thread in; the new thread can be there by then.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: predicted data race (pid=
// CHECK: which was checked
// CHECK-NOT: WARNING: PredRace
#include "figure.h"

std::mutex m;
int x;

int main() {
  m.lock();
  std::thread created([] {
    await(1);
    pass(m);
    x = 2;
  });
  m.unlock();
  x = 1;
  pass(m);
  step();
  created.join();
}
