// Notifying without the mutex makes no order for what was written before it.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
#include <condition_variable>
#include <mutex>

#include "two.h"

std::mutex mutex;
std::condition_variable condition;
int data, seen;
void first() {
  data = 1;
  condition.notify_one();
}
void second() {
  mutex.lock();
  mutex.unlock();
  seen = data;
}

int main() { in_told_order(first, second); }
