// A thread created and joined in a section is protected by it, although it takes no lock.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include "figure.h"
#include "two.h"

std::mutex m;
int x;
void first() {
  m.lock();
  x = 1;
  m.unlock();
}
void second() {
  m.lock();
  std::thread([] { x = 2; }).join();
  m.unlock();
}

int main() { in_order(first, second); }
