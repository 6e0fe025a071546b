// A sequence lock whose data are relaxed atomics.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <atomic>
#include <thread>

std::atomic<unsigned> sequence;
std::atomic<int> low, high;
std::atomic<bool> done;

int main() {
  std::thread writer([] {
    for (int i = 1; i <= 500; i++) {
      sequence.fetch_add(1, std::memory_order_acq_rel);
      low.store(i, std::memory_order_relaxed);
      high.store(-i, std::memory_order_relaxed);
      sequence.fetch_add(1, std::memory_order_release);
    }
    done = true;
  });
  int bad = 0;
  while (!done) {
    unsigned before = sequence.load(std::memory_order_acquire);
    int a = low.load(std::memory_order_relaxed), b = high.load(std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_acquire);
    if (before % 2 == 0 && sequence.load(std::memory_order_relaxed) == before && a + b != 0) bad++;
  }
  writer.join();
  return bad;
}
