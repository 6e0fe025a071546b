// A zero-width bit-field separates two memory locations.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include "two.h"

struct Bits {
  unsigned low : 4;
  unsigned : 0;
  unsigned high : 4;
} bits;
void first() { bits.low = 1; }
void second() { bits.high = 1; }

int main() { in_order(first, second); }
