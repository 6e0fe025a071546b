// strcpy writes the terminating zero too.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
#include <string.h>

#include "two.h"

char text[32];
const char *volatile source = "predictive";
void first() { strcpy(text, source); }
void second() { text[10] = 'x'; }

int main() { in_told_order(first, second); }
