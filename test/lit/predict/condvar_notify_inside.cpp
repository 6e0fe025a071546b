// The same with the notification inside the section.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <condition_variable>
#include <mutex>
#include <thread>

#include "order.h"

std::mutex m;
std::condition_variable condition;
int x;

int main() {
  std::thread waiter([] {
    std::unique_lock<std::mutex> guard(m);
    step();
    condition.wait(guard);
    guard.unlock();
    x = 2;
  });
  std::thread notifier([] {
    await(1);
    x = 1;
    m.lock();
    condition.notify_one();
    m.unlock();
  });
  waiter.join();
  notifier.join();
}
