// The same access in two sections of one thread: the second one counts for rule (a), although it repeats.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <mutex>

#include "figure.h"

std::mutex m, n;
int x, y;

int main() {
  std::thread a([] {
    for (int i = 0; i < 2; i++) {
      m.lock();
      y = 1;
      m.unlock();
      if (i == 0) x = 1;
    }
    step();
  });
  std::thread b([] {
    await(1);
    m.lock();
    y = 2;
    m.unlock();
    x = 2;
  });
  a.join();
  b.join();
}
