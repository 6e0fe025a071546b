// The first and the last of a hundred threads that are all alive.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
// CHECK-NOT: WARNING: PredRace
#include <thread>
#include <vector>

#include "order.h"

int shared;
int own[100];

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 100; i++)
    threads.emplace_back([i] {
      await(i);
      own[i] = i;
      if (i == 0) shared = 1;
      if (i == 99) shared = 2;
      step();
      await(100);
    });
  for (auto &t : threads) t.join();
}
