// Our own name in no_sanitize.
// UNSUPPORTED: tsan
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include "two.h"

int shared;
__attribute__((no_sanitize("predrace"))) void first() { shared = 1; }
void second() { shared = 2; }

int main() { in_order(first, second); }
