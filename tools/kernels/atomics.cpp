// A shared counter, a compare-exchange loop and a release/acquire hand-over.
#include <atomic>

#include "kernel.h"

static std::atomic<long> counter, maximum, published[2];

int main(int argc, char **argv) {
  return run(argc, argv, 2500000, [](int me, long amount) {
    long seen = 0;
    for (long i = 0; i < amount; i++) {
      long mine = counter.fetch_add(1, std::memory_order_relaxed);
      long old = maximum.load(std::memory_order_relaxed);
      while (old < mine && !maximum.compare_exchange_weak(old, mine, std::memory_order_acq_rel)) {
      }
      published[me].store(i, std::memory_order_release);
      seen |= published[1 - me].load(std::memory_order_acquire);
    }
    return seen >= 0 ? amount : 0;
  });
}
