// Figure 6 of the Raptor paper: rule (b) orders the two by a section that is still open at the second.
// That is CP's order; nothing is read across, so OSR knows a schedule.
// RUN: %predrace_cxx %s -o %t
// RUN: env PREDRACE_OPTIONS=predict=cp %silent %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: predicted data race (pid=
// CHECK: which was checked
#include "figure.h"

std::mutex m, q, n, o;
int z, y;

int main() {
  std::thread t1([] {
    z = 1;
    pass(m);
    pass(q);
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
