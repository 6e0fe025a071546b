// A conflict in the first link orders what any later link passes on.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <mutex>
#include <thread>

#include "order.h"

std::mutex m, n;
int x, y;

int main() {
  std::thread a([] {
    x = 1;
    m.lock();
    y = 1;
    m.unlock();
    step();
  });
  std::thread b([] {
    await(1);
    m.lock();
    y = 2;
    m.unlock();
    n.lock();
    n.unlock();
    step();
  });
  std::thread c([] {
    await(2);
    n.lock();
    n.unlock();
    x = 2;
  });
  a.join();
  b.join();
  c.join();
}
