// A 32-byte vector store against its last byte. (TSan does not check accesses of that size.)
// UNSUPPORTED: tsan
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
#include "two.h"

typedef char Wide __attribute__((vector_size(32)));
Wide wide;
void first() { wide = Wide{1, 2, 3}; }
void second() { reinterpret_cast<char *>(&wide)[31] = 2; }

int main() { in_told_order(first, second); }
