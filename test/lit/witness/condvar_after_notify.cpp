// The notifier writes once more after the notification; the waiter can be awake by then.
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
    std::unique_lock<std::mutex> guard(m);
    step();
    condition.wait(guard);
    guard.unlock();
    await(2);
    pass(m);
    x = 2;
  });
  std::thread notifier([] {
    await(1);
    m.lock();
    condition.notify_one();
    m.unlock();
    x = 1;
    pass(m);
    step();
  });
  waiter.join();
  notifier.join();
}
