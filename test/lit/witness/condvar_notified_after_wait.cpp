// The notification woke somebody who waited: it, and what follows it, is not the earlier one in any schedule.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <condition_variable>

#include "figure.h"

std::mutex m;
std::condition_variable condition;
int x;

int main() {
  std::thread waiter([] {
    x = 1;
    std::unique_lock<std::mutex> guard(m);
    step();
    condition.wait(guard);
  });
  std::thread notifier([] {
    await(1);
    pass(m);
    condition.notify_one();
    pass(m);
    x = 2;
  });
  waiter.join();
  notifier.join();
}
