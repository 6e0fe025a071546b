// halt_on_error=1 stops the program after the first report.
// RUN: %predrace_cxx %s -o %t
// RUN: env PREDRACE_OPTIONS=halt_on_error=1 %races %t 2>&1 | FileCheck %s
// CHECK-NOT: the end of main
// CHECK: WARNING: PredRace: data race
// CHECK-NOT: the end of main
#include <stdio.h>

#include <mutex>

#include "two.h"

std::mutex mutex;
int shared;
void first() { shared = 1; }
void second() { shared = 2; }

int main() {
  in_told_order(first, second);
  // Goes on until it is stopped; only a broken halt_on_error lets it come to an end.
  for (long i = 0; i < 20000000; i++) {
    std::lock_guard<std::mutex> guard(mutex);
    shared++;
  }
  puts("the end of main");
}
