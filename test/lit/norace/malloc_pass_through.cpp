// The free list passes one block from thread to thread with no order of the program's own.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <stdlib.h>

#include <thread>
#include <vector>

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; i++)
    threads.emplace_back([] {
      for (int n = 0; n < 500; n++) {
        long *block = new long[16];
        for (int k = 0; k < 16; k++) block[k] = k;
        asm volatile("" : : "r"(block) : "memory");
        delete[] block;
        void *big = calloc(1, 5000);
        static_cast<char *>(big)[n] = 1;
        asm volatile("" : : "r"(big) : "memory");
        free(big);
      }
    });
  for (auto &t : threads) t.join();
}
