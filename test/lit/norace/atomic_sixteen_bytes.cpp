// A 16-byte atomic.
// RUN: %predrace_cxx -mcx16 %s -o %t -latomic
// RUN: %silent %t
#include <atomic>
#include <thread>

struct Wide {
  long low, high;
};
std::atomic<Wide> wide;

int main() {
  auto work = [] {
    for (int i = 0; i < 200; i++) {
      Wide old = wide.load();
      while (!wide.compare_exchange_weak(old, Wide{old.low + 1, old.high - 1})) {
      }
    }
  };
  std::thread t(work), u(work);
  t.join();
  u.join();
  Wide end = wide.load();
  return end.low == 400 && end.high == -400 ? 0 : 1;
}
