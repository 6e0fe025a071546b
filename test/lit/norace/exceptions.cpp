// Exceptions thrown through instrumented frames, with a lock held.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <mutex>
#include <stdexcept>
#include <thread>

std::mutex mutex;
int shared, caught;
__attribute__((noinline)) void thrower(int depth) {
  std::lock_guard<std::mutex> guard(mutex);
  shared++;
  if (depth % 2) throw std::runtime_error("odd");
}

int main() {
  auto work = [] {
    for (int i = 0; i < 200; i++) {
      try {
        thrower(i);
      } catch (const std::exception &) {
        std::lock_guard<std::mutex> guard(mutex);
        caught++;
      }
    }
  };
  std::thread t(work), u(work);
  t.join();
  u.join();
  return shared == 400 && caught == 200 ? 0 : 1;
}
