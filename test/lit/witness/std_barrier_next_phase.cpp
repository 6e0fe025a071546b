// std::barrier is made of atomics; the second write is in its next phase.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <barrier>

#include "figure.h"

std::mutex m;
std::barrier barrier(2);
int x;

int main() {
  std::thread t1([] {
    barrier.arrive_and_wait();
    x = 1;
    pass(m);
    step();
    await(2);
    barrier.arrive_and_wait();
  });
  std::thread t2([] {
    barrier.arrive_and_wait();
    await(1);
    pass(m);
    step();
    barrier.arrive_and_wait();
    x = 2;
  });
  t1.join();
  t2.join();
}
