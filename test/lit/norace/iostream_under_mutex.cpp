// std::cout and a std::ostringstream under a mutex.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <iostream>
#include <mutex>
#include <sstream>
#include <thread>

std::mutex mutex;
std::ostringstream collected;

int main() {
  auto print = [](int me) {
    for (int i = 0; i < 50; i++) {
      std::lock_guard<std::mutex> guard(mutex);
      collected << me << ' ' << i << '\n';
      std::cout << me << std::endl;
    }
  };
  std::thread t(print, 1), u(print, 2);
  t.join();
  u.join();
  return collected.str().empty();
}
