// An unaligned access that reaches over the end of an 8-byte granule.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
#include "two.h"

struct __attribute__((packed)) Packed {
  char pad[6];
  int crossing;
};
alignas(8) Packed packed;
void first() { packed.crossing = 1; }
void second() { reinterpret_cast<char *>(&packed)[9] = 2; }

int main() { in_told_order(first, second); }
