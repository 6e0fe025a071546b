// Fifty thousand frames deep in two threads.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <pthread.h>

#include "order.h"

__attribute__((noinline)) int down(int depth) {
  int below = depth == 0 ? 0 : down(depth - 1);
  asm volatile("" : "+r"(below));
  return below + 1;
}
void *body(void *) { return reinterpret_cast<void *>(static_cast<long>(down(50000))); }

int main() {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 64 << 20);
  pthread_t t[2];
  for (pthread_t &thread : t) pthread_create(&thread, &attributes, body, nullptr);
  void *result[2];
  for (int i = 0; i < 2; i++) pthread_join(t[i], &result[i]);
  return result[0] == result[1] && reinterpret_cast<long>(result[0]) == 50001 ? 0 : 1;
}
