// Two memcpys that touch, but do not overlap, at an odd address.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <string.h>

#include "two.h"

char from[200], to[200];
size_t half = 101;
void first() { memcpy(to, from, half); }
void second() { memcpy(to + half, from, 200 - half); }

int main() { in_order(first, second); }
