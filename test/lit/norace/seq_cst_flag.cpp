// The default order of std::atomic.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <atomic>
#include <thread>

std::atomic<bool> ready;
int data;

int main() {
  std::thread t([] {
    data = 42;
    ready = true;
  });
  while (!ready) std::this_thread::yield();
  int seen = data;
  t.join();
  return seen == 42 ? 0 : 1;
}
