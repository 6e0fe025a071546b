// Relaxed tickets are drawn in one order: the second one's comes after x = 1 in every schedule.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <atomic>

#include "figure.h"
#include "two.h"

std::mutex m;
std::atomic<int> tickets;
int x;
void first() {
  x = 1;
  tickets.fetch_add(1, std::memory_order_relaxed);
  pass(m);
}
void second() {
  m.lock();
  tickets.fetch_add(1, std::memory_order_relaxed);
  m.unlock();
  x = 2;
}

int main() { in_order(first, second); }
