// Fields of different sizes in one granule.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include "two.h"

struct Fields {
  char a;
  char b;
  short c;
  int d;
};
alignas(8) Fields fields;
void first() {
  fields.a = 1;
  fields.d = 1;
}
void second() {
  fields.b = 2;
  fields.c = 2;
}

int main() { in_order(first, second); }
