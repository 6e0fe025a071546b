// One mutex, one counter.
#include <mutex>

#include "kernel.h"

static std::mutex mutex;
static long counter;

int main(int argc, char **argv) {
  return run(argc, argv, 2500000, [](int, long amount) {
    for (long i = 0; i < amount; i++) {
      std::lock_guard<std::mutex> guard(mutex);
      counter++;
    }
    std::lock_guard<std::mutex> guard(mutex);
    return counter > 0 ? 1L : 0L;
  });
}
