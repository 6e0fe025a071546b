// Which mutexes each thread held, and where they were first seen.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: Write of size 4 at 0x{{[0-9a-f]+}} by thread T2 (mutexes: write [[B:M[0-9]+]]):
// CHECK: Previous write of size 4 at 0x{{[0-9a-f]+}} by thread T1 (mutexes: write [[A:M[0-9]+]], read [[R:M[0-9]+]]):
// CHECK-DAG: Mutex [[A]] (0x{{[0-9a-f]+}}) created at:
// CHECK-DAG: Mutex [[B]] (0x{{[0-9a-f]+}}) created at:
// CHECK-DAG: Mutex [[R]] (0x{{[0-9a-f]+}}) created at:
#include <mutex>
#include <shared_mutex>

#include "two.h"

std::mutex one, two;
std::shared_mutex readers;
int shared;
void first() {
  std::lock_guard<std::mutex> guard(one);
  std::shared_lock<std::shared_mutex> reading(readers);
  shared = 1;
}
void second() {
  std::lock_guard<std::mutex> guard(two);
  shared = 2;
}

int main() { in_told_order(first, second); }
