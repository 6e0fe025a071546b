// The first call of a function initialises its static for all.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include "two.h"

struct Table {
  int values[8];
  Table() {
    for (int i = 0; i < 8; i++) values[i] = i * i;
  }
};
int get(int i) {
  static Table table;
  return table.values[i];
}
void use() { asm volatile("" : : "r"(get(3))); }

int main() { in_order(use, use); }
