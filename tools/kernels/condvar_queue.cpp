// A bounded queue between a producer and a consumer, by one mutex and two condition variables.
#include <condition_variable>
#include <deque>
#include <mutex>

#include "kernel.h"

static std::mutex mutex;
static std::condition_variable not_empty, not_full;
static std::deque<long> queue;
constexpr size_t kCapacity = 64;

int main(int argc, char **argv) {
  return run(argc, argv, 2000000, [](int me, long amount) {
    long sum = 0;
    for (long i = 0; i < amount; i++) {
      std::unique_lock<std::mutex> guard(mutex);
      if (me == 0) {
        not_full.wait(guard, [] { return queue.size() < kCapacity; });
        queue.push_back(i);
        not_empty.notify_one();
      } else {
        not_empty.wait(guard, [] { return !queue.empty(); });
        sum += queue.front();
        queue.pop_front();
        not_full.notify_one();
      }
    }
    return sum;
  });
}
