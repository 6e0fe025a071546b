// A virtual call reads the object's vptr while its destructor rewrites it.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: data race
#include <new>

#include "two.h"

struct Base {
  virtual ~Base() { asm volatile("" : : "r"(this) : "memory"); }
  virtual void call() {}
};
struct Derived : Base {
  ~Derived() override { asm volatile("" : : "r"(this) : "memory"); }
  void call() override {}
};
Base *volatile object;
alignas(Derived) char place[sizeof(Derived)];
void first() { object->call(); }
void second() { object->~Base(); }

int main() {
  object = new (place) Derived;
  in_told_order(first, second);
}
