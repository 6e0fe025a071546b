// The trylock failed, so the other's section had begun: x = 1 comes first in every schedule.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <mutex>
#include <thread>

#include "order.h"

std::mutex m;
int x;

int main() {
  std::thread a([] {
    x = 1;
    m.lock();
    step();
    await(2);
    m.unlock();
    step();
  });
  std::thread b([] {
    await(1);
    if (m.try_lock()) __builtin_trap();
    step();
    await(3);
    m.lock();
    m.unlock();
    x = 2;
  });
  a.join();
  b.join();
}
