// A mutex's memory becomes another mutex.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <mutex>
#include <new>
#include <thread>

int shared;

int main() {
  alignas(std::mutex) char place[sizeof(std::mutex)];
  for (int round = 0; round < 10; round++) {
    auto *mutex = new (place) std::mutex;
    auto add = [mutex] {
      std::lock_guard<std::mutex> guard(*mutex);
      shared++;
    };
    std::thread t(add), u(add);
    t.join();
    u.join();
    mutex->~mutex();
  }
  return shared == 20 ? 0 : 1;
}
