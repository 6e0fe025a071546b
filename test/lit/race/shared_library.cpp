// A race inside a shared library that is linked in.
// RUN: %predrace_cxx -shared -fPIC %inputs/library.cpp -o %t.so
// RUN: %predrace_cxx %s %t.so -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
// CHECK: library_write
// CHECK: library_write
#include "two.h"

extern "C" void library_write(int value);
void first() { library_write(1); }
void second() { library_write(2); }

int main() { in_told_order(first, second); }
