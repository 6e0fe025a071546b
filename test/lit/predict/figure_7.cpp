// Figure 7: as figure 6, but thread 1 takes q before m; now the race is real.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: predicted data race (pid=
// CHECK-NOT: WARNING: PredRace
#include "figure.h"

std::mutex m, q, n, o;
int z, y;

int main() {
  std::thread t1([] {
    z = 1;
    pass(q);
    pass(m);
    step();
  });
  std::thread t2([] {
    await(1);
    pass(q);
    n.lock();
    y = 1;
    n.unlock();
    step();
  });
  std::thread t3([] {
    await(2);
    m.lock();
    pass(o);
    step();
    await(4);
    n.lock();
    y = 2;
    n.unlock();
    m.unlock();
  });
  std::thread t4([] {
    await(3);
    pass(o);
    z = 2;
    step();
  });
  for (std::thread *t : {&t1, &t2, &t3, &t4}) t->join();
}
