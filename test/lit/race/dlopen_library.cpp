// A race inside a library that is opened while the program runs.
// RUN: %predrace_cxx -shared -fPIC %inputs/library.cpp -o %t.so
// RUN: %predrace_cxx %s -o %t -ldl
// RUN: %races %t %t.so 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race (pid=
// CHECK: library_write
// CHECK: library_write
#include <dlfcn.h>

#include "two.h"

void (*library_write)(int);
void first() { library_write(1); }
void second() { library_write(2); }

int main(int, char **argv) {
  void *library = dlopen(argv[1], RTLD_NOW);
  if (!library) return 1;
  library_write = reinterpret_cast<void (*)(int)>(dlsym(library, "library_write"));
  in_told_order(first, second);
}
