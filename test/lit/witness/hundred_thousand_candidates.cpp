// A hundred thousand pairs of accesses on ten pairs of code locations: ten reports, within the budget at
// exit.
// RUN: %predrace_cxx %s -o %t
// RUN: env PREDRACE_OPTIONS=stats=1:exit_budget_s=60 %exits 66 %t > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// RUN: grep -c "WARNING: PredRace: predicted data race (pid=" %t.out | FileCheck --check-prefix=COUNT %s
// CHECK: PredRace: stats: {{.*}} candidates=100000 data_races=0 predicted=10 {{.*}} witnessed=10 unwitnessed=0 undecided=0
// COUNT: 10
#include <mutex>

#include "two.h"

constexpr int kLines = 10000, kStride = 16;  // a variable of the analysis each
std::mutex m;
int a[10][kLines * kStride];
template <int N>
__attribute__((noinline)) void fill(int value) {
  for (int i = 0; i < kLines; ++i) a[N][(i * 7919 % kLines) * kStride] = value;
}
template <int... N>
void fillAll(int value, std::integer_sequence<int, N...>) {
  (fill<N>(value), ...);
}
void first() {
  fillAll(1, std::make_integer_sequence<int, 10>());
  m.lock();
  m.unlock();
}
void second() {
  m.lock();
  m.unlock();
  fillAll(2, std::make_integer_sequence<int, 10>());
}

int main() { in_order(first, second); }
