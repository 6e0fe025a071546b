// The TLS block of a thread that ended serves the next one, unjoined.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <thread>

#include "order.h"

thread_local int mine[64];

int main() {
  std::thread a([] {
    for (int &m : mine) m++;
    step();
  });
  a.detach();
  await(1);
  for (int i = 0; i < 100; i++) {
    std::thread b([] {
      for (int &m : mine) m++;
    });
    b.detach();
  }
}
