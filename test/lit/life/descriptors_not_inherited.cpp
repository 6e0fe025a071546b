// A program that is exec'd inherits none of our descriptors: 0, 1, 2, and 3 by which ls reads the directory.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t | FileCheck %s
// CHECK: {{^0$}}
// CHECK-NEXT: {{^1$}}
// CHECK-NEXT: {{^2$}}
// CHECK-NEXT: {{^3$}}
// CHECK-NOT: {{.}}
#include <unistd.h>

#include <thread>

int main() {
  std::thread([] {}).join();
  execl("/bin/ls", "ls", "-v", "/proc/self/fd", nullptr);
  return 2;
}
