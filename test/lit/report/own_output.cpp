// The program's own output and exit code are what they would be without PredRace.
// RUN: %predrace_cxx %s -o %t
// RUN: %exits 66 %t 2>%t.err | FileCheck %s
// CHECK: {{^}}standard output{{$}}
// CHECK-NOT: {{.}}
#include <stdio.h>

#include "two.h"

int shared;
void first() { shared = 1; }
void second() { shared = 2; }

int main() {
  in_told_order(first, second);
  puts("standard output");
}
