// The twin of race/shared_library.cpp: the caller holds a lock.
// RUN: %predrace_cxx -shared -fPIC %inputs/library.cpp -o %t.so
// RUN: %predrace_cxx %s %t.so -o %t
// RUN: %silent %t
#include <mutex>

#include "two.h"

extern "C" void library_write(int value);
std::mutex mutex;
void first() {
  std::lock_guard<std::mutex> guard(mutex);
  library_write(1);
}
void second() {
  std::lock_guard<std::mutex> guard(mutex);
  library_write(2);
}

int main() { in_order(first, second); }
