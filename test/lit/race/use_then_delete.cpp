// The same with new and delete.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
#include "two.h"

struct Node {
  long value;
} *node;
void first() { node->value = 1; }
void second() { delete node; }

int main() {
  node = new Node{0};
  in_told_order(first, second);
}
