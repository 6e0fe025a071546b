// A trylock that fails gives no protection.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
#include <mutex>
#include <thread>

#include "order.h"

std::mutex mutex;
int shared;

int main() {
  std::thread a([] {
    mutex.lock();
    shared = 1;
    step();
    await(2);
    mutex.unlock();
  });
  std::thread b([] {
    await(1);
    if (!mutex.try_lock()) shared = 2;
    step();
  });
  a.join();
  b.join();
}
