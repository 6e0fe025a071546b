// A report is printed when it is found: a program that never ends has told it before.
// RUN: %predrace_cxx %s -o %t
// RUN: %exits SIGKILL %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race
#include <signal.h>

#include "two.h"

int shared;
void first() { shared = 1; }
void second() { shared = 2; }

int main() {
  in_told_order(first, second);
  raise(SIGKILL);
}
