// Constants, string literals and vtables.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <string.h>

#include "two.h"

const int table[] = {1, 2, 3, 4};
volatile int index_ = 2;
struct Shape {
  virtual int corners() const { return 0; }
};
struct Square : Shape {
  int corners() const override { return 4; }
};
Square square;
Shape *const volatile shape = &square;
void use() { asm volatile("" : : "r"(table[index_]), "r"(strlen("text")), "r"(shape->corners())); }

int main() { in_order(use, use); }
