// Two threads append to one std::string (the library's own code is not instrumented).
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
#include <string>

#include "two.h"

std::string text;
size_t length;
void first() { text = std::string(100, 'a'); }
void second() { length = text.size(); }

int main() { in_told_order(first, second); }
