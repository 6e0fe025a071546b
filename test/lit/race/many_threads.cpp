// Sixteen threads on one counter.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
#include <thread>
#include <vector>

#include "order.h"

long counter;

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 16; i++)
    threads.emplace_back([i] {
      await(i);
      counter++;
      step();
    });
  for (auto &t : threads) t.join();
}
