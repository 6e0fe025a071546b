// Two thousand threads, one after the other: ids, stacks and rings are reused.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <thread>

long shared;

int main() {
  for (int i = 0; i < 2000; i++) std::thread([] { shared++; }).join();
  return shared == 2000 ? 0 : 1;
}
