// Double-checked initialisation with a plain pointer.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
#include <mutex>

#include "two.h"

std::mutex mutex;
int *instance;
int seen;
void use() {
  if (!instance) {
    std::lock_guard<std::mutex> guard(mutex);
    if (!instance) instance = new int(7);
  }
  seen = *instance;
}
void first() { use(); }
void second() {
  if (instance) __atomic_store_n(&seen, 1, __ATOMIC_RELAXED);
}

int main() {
  in_told_order(first, second);
  delete instance;
}
