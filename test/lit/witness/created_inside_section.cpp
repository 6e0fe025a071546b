// A thread created in a section stores what the other's section reads: the creator's section is the earlier
// one.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <atomic>

#include "figure.h"

std::mutex m;
std::atomic<int> flag;
int x;

int main() {
  std::thread reader([] {
    await(2);
    m.lock();
    (void)flag.load(std::memory_order_relaxed);
    m.unlock();
    x = 2;
  });
  std::thread creator([] {
    m.lock();
    x = 1;
    std::thread created([] {
      flag.store(1, std::memory_order_relaxed);
      step();
    });
    m.unlock();
    step();
    created.join();
  });
  creator.join();
  reader.join();
}
