// Growing blocks in two threads.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <stdlib.h>

#include "two.h"

void grow() {
  int *block = nullptr;
  for (int n = 1; n < 2000; n++) {
    block = static_cast<int *>(realloc(block, n * sizeof(int)));
    block[n - 1] = n;
  }
  for (int n = 1; n < 2000; n++)
    if (block[n - 1] != n) abort();
  free(block);
}

int main() { in_order(grow, grow); }
