// The giver creates the second thread: hard order, whatever the lock says.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <mutex>
#include <thread>

std::mutex m;
int x;

int main() {
  x = 1;
  m.lock();
  std::thread t([] {
    m.lock();
    m.unlock();
    x = 2;
  });
  m.unlock();
  t.join();
}
