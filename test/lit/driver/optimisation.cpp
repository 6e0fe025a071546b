// All levels, link-time optimisation and position independence give the program's own result.
// RUN: %clangxx -fsanitize=predrace -Xclang -verify -O0 %s -o %t && %t
// RUN: %clangxx -fsanitize=predrace -O1 -g %s -o %t && %t
// RUN: %clangxx -fsanitize=predrace -O2 -fno-pie -no-pie %s -o %t && %t
// RUN: %clangxx -fsanitize=predrace -O3 -mavx2 -S -emit-llvm %s -o %t.ll && opt -passes=verify -disable-output %t.ll
// RUN: %clangxx -fsanitize=predrace -O2 -flto -fuse-ld=lld %s -o %t && %t
// RUN: %clangxx -fsanitize=predrace -O2 -flto=thin -fuse-ld=lld %s -o %t && %t
// RUN: %clangxx -fsanitize=predrace -O2 -fPIC -shared -DLIBRARY %s -o %t.so
// RUN: %clangxx -fsanitize=predrace -O2 -DPROGRAM %s %t.so -o %t && %t
// expected-no-diagnostics
#include <csetjmp>
#include <map>
#include <stdexcept>
#include <string>

int library(int n);
#ifndef PROGRAM
int library(int n) {
  if (n > 3) throw std::runtime_error("too much");
  return n;
}
#endif
#ifndef LIBRARY
static std::jmp_buf back;
static int deep(int n) {
  if (n == 0) std::longjmp(back, 1);
  return deep(n - 1) + 1;
}
int main() {
  volatile int score = 0;
  for (int i = 0; i < 10; i++) try {
      score = score + library(i);
    } catch (std::exception&) {
      score = score + 100;
    }
  if (setjmp(back) == 0)
    deep(100);
  else
    score = score + 1000;
  std::map<std::string, int> words;
  for (int i = 0; i < 20; i++) words["word" + std::to_string(i % 7)] += i;
  score = score + 10000 * words["word6"];
  return score == 191606 ? 0 : 1;
}
#endif
