// A program that closes every descriptor it can, ours too, still ends with its own result.
// RUN: %predrace_cxx %s -o %t
// RUN: %python %inputs/life.py --exit 5 %t
#include <unistd.h>

#include <thread>

int shared;

int main() {
  std::thread([] { shared = 1; }).join();
  for (int fd = 3; fd < 65536; fd++) close(fd);
  for (int i = 0; i < 10; i++) std::thread([] { shared++; }).join();
  return shared == 11 ? 5 : 1;
}
