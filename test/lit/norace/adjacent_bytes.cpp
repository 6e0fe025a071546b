// Eight threads, eight bytes of one granule.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <thread>
#include <vector>

#include "order.h"

alignas(8) char bytes[8];

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; i++)
    threads.emplace_back([i] {
      await(i);
      bytes[i]++;
      step();
    });
  for (auto &t : threads) t.join();
}
