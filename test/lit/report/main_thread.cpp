// The main thread is called so, and has no creation stack.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: Write of size 4 at 0x{{[0-9a-f]+}} by main thread:
// CHECK-NEXT: #0 main
// CHECK: Previous write of size 4 at 0x{{[0-9a-f]+}} by thread T1:
// CHECK-NOT: Thread T0
// CHECK: Thread T1
#include <thread>

#include "order.h"

int shared;

int main() {
  std::thread t([] {
    shared = 1;
    told();
    step();
  });
  await(1);
  told();
  shared = 2;
  t.join();
}
