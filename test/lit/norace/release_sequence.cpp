// A relaxed update by a third thread continues the release sequence.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <atomic>
#include <thread>

#include "order.h"

std::atomic<int> flag;
int data, seen;

int main() {
  std::thread a([] {
    data = 42;
    flag.store(1, std::memory_order_release);
    step();
  });
  std::thread b([] {
    await(1);
    flag.fetch_add(1, std::memory_order_relaxed);
    step();
  });
  std::thread c([] {
    await(2);
    if (flag.load(std::memory_order_acquire) == 2) seen = data;
  });
  a.join();
  b.join();
  c.join();
  return seen == 42 ? 0 : 1;
}
