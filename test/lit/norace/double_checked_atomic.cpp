// Double-checked initialisation with an atomic pointer.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <atomic>
#include <mutex>
#include <thread>

std::mutex mutex;
std::atomic<int *> instance;
int use() {
  int *p = instance.load(std::memory_order_acquire);
  if (!p) {
    std::lock_guard<std::mutex> guard(mutex);
    p = instance.load(std::memory_order_relaxed);
    if (!p) {
      p = new int(7);
      instance.store(p, std::memory_order_release);
    }
  }
  return *p;
}

int main() {
  int a = 0, b = 0;
  std::thread t([&] { a = use(); }), u([&] { b = use(); });
  t.join();
  u.join();
  delete instance.load();
  return a + b == 14 ? 0 : 1;
}
