// Both accesses inside sections of one mutex.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <mutex>

#include "two.h"

std::mutex mutex;
int shared;
void first() {
  std::lock_guard<std::mutex> guard(mutex);
  shared++;
}
void second() {
  std::lock_guard<std::mutex> guard(mutex);
  shared++;
}

int main() { in_order(first, second); }
