// std::call_once.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <mutex>

#include "two.h"

std::once_flag once;
int value;
void use() {
  std::call_once(once, [] { value = 7; });
  asm volatile("" : : "r"(value));
}

int main() { in_order(use, use); }
