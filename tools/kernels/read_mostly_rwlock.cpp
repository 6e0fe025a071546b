// A table under a shared_mutex: one write in a hundred.
#include <mutex>
#include <shared_mutex>

#include "kernel.h"

static std::shared_mutex lock;
static long table[64];

int main(int argc, char **argv) {
  return run(argc, argv, 3000000, [](int me, long amount) {
    unsigned random = 777u + static_cast<unsigned>(me);
    long sum = 0;
    for (long i = 0; i < amount; i++) {
      random = random * 1664525u + 1013904223u;
      const unsigned at = random >> 26;
      if (i % 100 == 0) {
        std::unique_lock<std::shared_mutex> guard(lock);
        table[at]++;
      } else {
        std::shared_lock<std::shared_mutex> guard(lock);
        sum += table[at] + table[(at + 7) % 64] + table[(at + 13) % 64] + table[(at + 31) % 64];
      }
    }
    return sum >= 0 ? amount : 0;
  });
}
