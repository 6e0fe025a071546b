// Relaxed atomics never race with each other.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <atomic>
#include <thread>

std::atomic<char> a;
std::atomic<short> b;
std::atomic<int> c;
std::atomic<long> d;

int main() {
  auto work = [] {
    for (int i = 0; i < 1000; i++) {
      a.store(static_cast<char>(i), std::memory_order_relaxed);
      b.fetch_xor(1, std::memory_order_relaxed);
      c.fetch_sub(1, std::memory_order_relaxed);
      long expected = d.load(std::memory_order_relaxed);
      d.compare_exchange_strong(expected, expected + 1, std::memory_order_relaxed);
    }
  };
  std::thread t(work), u(work);
  t.join();
  u.join();
  return c.load() == -2000 ? 0 : 1;
}
