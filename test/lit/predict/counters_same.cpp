// Its twin: both sections count in one counter.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <mutex>

#include "two.h"

std::mutex m;
long total, hits;
void first() {
  total++;
  std::lock_guard<std::mutex> guard(m);
  hits++;
}
void second() {
  {
    std::lock_guard<std::mutex> guard(m);
    hits++;
  }
  total++;
}

int main() { in_order(first, second); }
