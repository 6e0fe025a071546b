// An inner unlock of a recursive mutex does not end the section.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <mutex>

#include "two.h"

std::recursive_mutex mutex;
int shared;
void first() {
  mutex.lock();
  mutex.lock();
  mutex.unlock();
  shared = 1;
  mutex.unlock();
}
void second() {
  std::lock_guard<std::recursive_mutex> guard(mutex);
  shared = 2;
}

int main() { in_order(first, second); }
