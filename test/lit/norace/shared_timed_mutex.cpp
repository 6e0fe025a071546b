// std::shared_timed_mutex with try_lock_for and try_lock_shared_for. (TSan 19 does not know them.)
// UNSUPPORTED: tsan
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <chrono>
#include <shared_mutex>

#include "two.h"

std::shared_timed_mutex lock;
int shared, seen;
void first() {
  if (!lock.try_lock_for(std::chrono::seconds(100))) return;
  shared = 1;
  lock.unlock();
}
void second() {
  if (!lock.try_lock_shared_for(std::chrono::seconds(100))) return;
  seen = shared;
  lock.unlock_shared();
}

int main() {
  in_order(first, second);
  return seen == 1 ? 0 : 1;
}
