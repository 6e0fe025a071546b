// Code that the user excluded is not checked.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include "two.h"

int shared;
__attribute__((no_sanitize("thread"))) void first() { shared = 1; }
void second() { shared = 2; }

int main() { in_order(first, second); }
