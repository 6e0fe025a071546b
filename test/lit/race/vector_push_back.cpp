// Two threads push into one std::vector.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
#include <vector>

#include "two.h"

std::vector<int> values;
void first() { values.push_back(1); }
void second() { values.push_back(2); }

int main() { in_told_order(first, second); }
