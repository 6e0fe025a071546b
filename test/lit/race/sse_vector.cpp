// A 16-byte SSE store against one element of it.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
#include <emmintrin.h>

#include "two.h"

alignas(16) int elements[4];
void first() { _mm_store_si128(reinterpret_cast<__m128i *>(elements), _mm_set1_epi32(1)); }
void second() { elements[3] = 2; }

int main() { in_told_order(first, second); }
