// The user asked for the impossible: one line and exit code 1, before main.
// RUN: %predrace_cxx %s -o %t
// RUN: env PREDRACE_OPTIONS=suppressions=%t.nowhere %exits 1 %t 2>&1 | FileCheck %s
// CHECK-NOT: main was here
// CHECK: PredRace: ERROR: cannot read the suppressions file '{{.*}}.nowhere'
// CHECK-NOT: main was here
#include <stdio.h>

int main() { puts("main was here"); }
