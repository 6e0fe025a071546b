// A global's name, size and module.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: Location is global 'counter_of_requests' of size 8 at 0x{{[0-9a-f]+}} (location_global.cpp.tmp+0x{{[0-9a-f]+}})
#include "two.h"

long counter_of_requests;
void first() { counter_of_requests++; }
void second() { counter_of_requests++; }

int main() { in_told_order(first, second); }
