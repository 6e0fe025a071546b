// The variable and one of the accesses live in another file.
// RUN: %predrace_cxx -c %inputs/library.cpp -o %t.1.o
// RUN: %predrace_cxx -c %s -o %t.2.o
// RUN: %predrace_cxx %t.1.o %t.2.o -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
// CHECK: second
// CHECK: library_write
#include "two.h"

extern int library_variable;
extern "C" void library_write(int value);
void first() { library_write(1); }
void second() { library_variable = 2; }

int main() { in_told_order(first, second); }
