// Two unprotected increments.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
#include "two.h"

long counter;
void first() { counter++; }
void second() { counter++; }

int main() { in_told_order(first, second); }
