// Each thread has its own copy.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <thread>
#include <vector>

thread_local int mine;

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; i++)
    threads.emplace_back([] {
      for (int n = 0; n < 1000; n++) mine++;
      if (mine != 1000) __builtin_trap();
    });
  for (auto &t : threads) t.join();
  return mine;
}
