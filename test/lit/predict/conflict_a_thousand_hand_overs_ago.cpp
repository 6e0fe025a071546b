// The twin: the very first hand-over had a conflict.
// That is CP's order; nothing is read across, so OSR knows a schedule.
// RUN: %predrace_cxx %s -o %t
// RUN: env PREDRACE_OPTIONS=predict=cp %silent %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: predicted data race (pid=
// CHECK: which was checked
#include <mutex>

#include "figure.h"

std::mutex m;
int x, y;

int main() {
  auto take_turns = [](int me) {
    if (me == 0) x = 1;
    for (int i = 0; i < 1000; i++) {
      await(2 * i + me);
      m.lock();
      if (i == 0) y = me;
      m.unlock();
      step();
    }
    if (me == 1) x = 2;
  };
  std::thread a(take_turns, 0), b(take_turns, 1);
  a.join();
  b.join();
}
