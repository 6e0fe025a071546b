// main returns while detached threads still run.
// RUN: %predrace_cxx %s -o %t
// RUN: %python %inputs/life.py --exit 5 %t
#include <atomic>
#include <thread>

std::atomic<long> counter;

int main() {
  for (int i = 0; i < 4; i++)
    std::thread([] {
      for (;;) counter++;
    }).detach();
  while (counter < 1000) std::this_thread::yield();
  return 5;
}
