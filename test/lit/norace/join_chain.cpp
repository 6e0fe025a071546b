// A thread joins a thread that joined a thread.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <thread>

int shared;

int main() {
  std::thread a([] {
    std::thread b([] {
      std::thread c([] { shared = 1; });
      c.join();
    });
    b.join();
    shared++;
  });
  a.join();
  return shared == 2 ? 0 : 1;
}
