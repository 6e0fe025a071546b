// A spin lock made of std::atomic_flag.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <atomic>
#include <thread>

std::atomic_flag flag = ATOMIC_FLAG_INIT;
long counter;

int main() {
  auto work = [] {
    for (int i = 0; i < 1000; i++) {
      while (flag.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
      counter++;
      flag.clear(std::memory_order_release);
    }
  };
  std::thread t(work), u(work);
  t.join();
  u.join();
  return counter == 2000 ? 0 : 1;
}
