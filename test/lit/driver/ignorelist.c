// An ignorelist works though clang's driver knows of no sanitizer.
// RUN: echo 'fun:ignored' > %t.list
// RUN: %clang -fsanitize=predrace -fsanitize-ignorelist=%t.list -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -fsanitize=predrace -fsanitize-ignorelist=%t.list -fno-sanitize-ignorelist -S -emit-llvm %s -o - \
// RUN:   | FileCheck --check-prefix=OFF %s
// RUN: not %clang -fsanitize=predrace -fsanitize-ignorelist=%t.none -c %s -o %t.o 2>&1 | FileCheck --check-prefix=NONE %s
// NONE: error: {{.*}}.none
int x;
// CHECK-LABEL: define {{.*}} @ignored(
// CHECK-NOT: @__predrace_write4
// OFF-LABEL: define {{.*}} @ignored(
// OFF: @__predrace_write4
void ignored(void) { x = 1; }
// CHECK-LABEL: define {{.*}} @checked(
// CHECK: call {{.*}} @__predrace_write4
void checked(void) { x = 2; }
