// A block freed by one thread comes back to another: fresh history.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <stdlib.h>

#include "two.h"

void use() {
  for (int i = 0; i < 1000; i++) {
    int *block = static_cast<int *>(malloc(40));
    for (int n = 0; n < 10; n++) block[n] = n;
    asm volatile("" : : "r"(block) : "memory");
    free(block);
  }
}

int main() { in_order(use, use); }
