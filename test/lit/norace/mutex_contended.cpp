// Four threads compete for one mutex; the count is right.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <mutex>
#include <thread>
#include <vector>

std::mutex mutex;
long counter;

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; i++)
    threads.emplace_back([] {
      for (int n = 0; n < 2000; n++) {
        std::lock_guard<std::mutex> guard(mutex);
        counter++;
      }
    });
  for (auto &t : threads) t.join();
  return counter == 8000 ? 0 : 1;
}
