// The notifier's write follows only a section that can come before the wait.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: predicted data race (pid=
// CHECK: which was checked
// CHECK-NOT: WARNING: PredRace
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
    x = 2;
    m.lock();
    condition.notify_one();
    m.unlock();
  });
  waiter.join();
  notifier.join();
}
