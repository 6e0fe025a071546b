// A join is hard order, whatever locks there are beside it.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <mutex>
#include <thread>

std::mutex m;
int x;

int main() {
  std::thread t([] {
    x = 1;
    m.lock();
    m.unlock();
  });
  t.join();
  m.lock();
  m.unlock();
  x = 2;
}
