// Frames of one thread reuse the stack words that another thread had been lent.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <thread>

__attribute__((noinline)) int lend() {
  int local = 0;
  std::thread t([&local] { local = 1; });
  t.join();
  return local;
}
__attribute__((noinline)) int own() {
  volatile int local[16];
  for (int i = 0; i < 16; i++) local[i] = i;
  return local[3];
}

int main() {
  int sum = 0;
  for (int i = 0; i < 20; i++) sum += lend() + own();
  return sum == 80 ? 0 : 1;
}
