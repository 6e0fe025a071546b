// Every call has the line of the access it tells, also when optimisation took the access's own away.
// RUN: %clang -fsanitize=predrace -O1 -g -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -fsanitize=predrace -O3 -g -S -emit-llvm %s -o - | FileCheck --check-prefix=ALL %s
int sum(int *p, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) {
    s += p[i];
  }
  return s;
}
// CHECK: call preserve_mostcc void @__predrace_read4({{.*}} !dbg [[LINE:![0-9]+]]
// CHECK: [[LINE]] = !DILocation(line: [[#@LINE - 5]],
// ALL-NOT: call {{.*}} @__predrace_{{(read|write|update)[^!]*$}}
