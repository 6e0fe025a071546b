// A semaphore used as a lock; the mutex beside it can be turned round, the semaphore cannot.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <semaphore>

#include "figure.h"
#include "two.h"

std::mutex m;
std::binary_semaphore available(1);
int x;
void first() {
  available.acquire();
  x = 1;
  pass(m);
  available.release();
}
void second() {
  available.acquire();
  pass(m);
  x = 2;
  available.release();
}

int main() { in_order(first, second); }
