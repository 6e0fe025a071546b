// A cache with a statistics counter: the program of tools/demo.
//
// One mutex guards the buckets. The counter is outside of it, "to keep the critical sections short": put()
// counts before it takes the lock and get() after it has released it, so two threads can count at the same
// time and lose an operation. A test hardly ever shows it: when put() happens to go first, its unlock and
// get()'s lock order the two increments, and a detector of what did happen (ThreadSanitizer) has nothing to
// report. But the two critical sections touch different buckets, so nothing in the program demands that
// order.
//
// Compiled with -DFIXED the counter is atomic.
#include <sched.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace {

class Cache {
 public:
  void put(unsigned key, std::string value) {
    ++operations_;
    std::lock_guard lock(mutex_);
    buckets_[key % buckets_.size()] = Entry{key, std::move(value)};
  }

  std::optional<std::string> get(unsigned key) {
    std::optional<std::string> found;
    {
      std::lock_guard lock(mutex_);
      const std::optional<Entry>& entry = buckets_[key % buckets_.size()];
      if (entry && entry->key == key) found = entry->value;
    }
    ++operations_;
    return found;
  }

  long operations() const { return operations_; }

 private:
  struct Entry {
    unsigned key;
    std::string value;
  };

  std::mutex mutex_;
  std::array<std::optional<Entry>, 64> buckets_;
#ifdef FIXED
  std::atomic<long> operations_{0};
#else
  long operations_ = 0;
#endif
};

// Plays the scheduler that lets the writer go first in every run, so that the demonstration does not depend
// on luck. It is no synchronisation to either detector: neither looks into these functions.
volatile bool writer_has_run = false;

__attribute__((noinline, no_sanitize("thread"))) void letTheReaderRun() { writer_has_run = true; }

__attribute__((noinline, no_sanitize("thread"))) void untilTheWriterHasRun() {
  while (!writer_has_run) sched_yield();
}

}  // namespace

int main() {
  Cache cache;
  cache.put(1, "one");

  std::thread writer([&cache] {
    cache.put(2, "two");
    letTheReaderRun();
  });
  std::thread reader([&cache] {
    untilTheWriterHasRun();
    cache.get(1);
  });
  writer.join();
  reader.join();

  std::printf("%ld operations\n", cache.operations());
}
