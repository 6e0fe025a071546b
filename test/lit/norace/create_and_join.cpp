// Before creation, in the thread, after the join.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <thread>

int shared;

int main() {
  shared = 1;
  std::thread t([] { shared++; });
  t.join();
  shared++;
  return shared == 3 ? 0 : 1;
}
