// Each must have been in the other's lock before, which a reader refuses to a writer: a deadlock, never a
// race.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <mutex>
#include <shared_mutex>

#include "two.h"

std::mutex m;
std::shared_mutex lock;
int x;
void first() {
  std::shared_lock<std::shared_mutex> guard(lock);
  m.lock();
  m.unlock();
  x = 1;
}
void second() {
  std::lock_guard<std::mutex> guard(m);
  lock.lock();
  lock.unlock();
  x = 2;
}

int main() { in_order(first, second); }
