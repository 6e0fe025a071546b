// The twin: the very first hand-over had a conflict.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
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
