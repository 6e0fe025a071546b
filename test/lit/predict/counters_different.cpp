// A cache: hits and misses are counted under the lock, the total outside of it.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: predicted data race (pid=
#include <mutex>

#include "two.h"

std::mutex m;
long total, hits, misses;
void first() {
  total++;
  std::lock_guard<std::mutex> guard(m);
  hits++;
}
void second() {
  {
    std::lock_guard<std::mutex> guard(m);
    misses++;
  }
  total++;
}

int main() { in_order(first, second); }
