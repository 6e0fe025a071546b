// 64 striped mutexes; each section increments eight counters of its stripe.
#include <mutex>

#include "kernel.h"

struct alignas(64) Stripe {
  std::mutex mutex;
  long counters[8];
};
static Stripe stripes[64];

int main(int argc, char **argv) {
  return run(argc, argv, 3000000, [](int me, long amount) {
    unsigned random = 12345u + static_cast<unsigned>(me);
    for (long i = 0; i < amount; i++) {
      random = random * 1664525u + 1013904223u;
      Stripe &stripe = stripes[random >> 26];
      std::lock_guard<std::mutex> guard(stripe.mutex);
      for (long &counter : stripe.counters) counter++;
    }
    return amount;
  });
}
