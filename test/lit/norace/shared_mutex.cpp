// std::shared_mutex, exclusive against shared.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <mutex>
#include <shared_mutex>

#include "two.h"

std::shared_mutex lock;
int shared, seen;
void first() {
  std::unique_lock<std::shared_mutex> guard(lock);
  shared = 1;
}
void second() {
  std::shared_lock<std::shared_mutex> guard(lock);
  seen = shared;
}

int main() { in_order(first, second); }
