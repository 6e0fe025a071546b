// Any number of readers.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include "two.h"

int table[100] = {1, 2, 3};
int sums[2];
void first() {
  for (int value : table) sums[0] += value;
}
void second() {
  for (int value : table) sums[1] += value;
}

int main() {
  table[7] = 1;
  in_order(first, second);
}
