// Our own name in no_sanitize, in every place where the attribute can stand, without a warning.
// REQUIRES: attributes-plugin
// RUN: %clangxx -fsanitize=predrace -Wall -Werror -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clangxx -fsanitize=predrace -Wall -Werror -x c++-header %s -o %t.pch
// RUN: %clangxx -fsanitize=predrace -Wall -Werror -include-pch %t.pch -S -emit-llvm -x c++ /dev/null -o - | FileCheck %s
int x;
// CHECK-LABEL: define {{.*}} @_Z7checkedv(
// CHECK: call {{.*}} @__predrace_write4
void checked() { x = 1; }
// CHECK-NOT: call {{.*}} @__predrace_write4
__attribute__((no_sanitize("predrace"))) void gnu() { x = 1; }
[[clang::no_sanitize("predrace")]] void standard() { x = 1; }
__attribute__((no_sanitize("undefined", "predrace"))) void two() { x = 1; }
__attribute__((no_sanitize("predrace"))) void declared();
void declared() { x = 1; }
struct S {
  __attribute__((no_sanitize("predrace"))) void member() { x = 1; }
  template <class T>
  __attribute__((no_sanitize("predrace"))) void generic(T v) {
    x = v;
  }
};
void use() {
  S().member();
  S().generic(1);
  []() __attribute__((no_sanitize("predrace"))) { x = 1; }();
}
