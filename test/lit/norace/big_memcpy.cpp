// Eight megabytes copied by each of two threads, and then by the other one under a lock.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <string.h>

#include <mutex>
#include <thread>
#include <vector>

std::mutex mutex;
constexpr size_t kSize = 8 << 20;
std::vector<char> source(kSize, 'x'), target(kSize);

int main() {
  auto copy = [] {
    std::lock_guard<std::mutex> guard(mutex);
    memcpy(target.data(), source.data(), kSize);
  };
  std::thread t(copy), u(copy);
  t.join();
  u.join();
  return target == source ? 0 : 1;
}
