// Its twin: thread 2 has seen y before it stores what thread 4 reads, so x = 1 comes first.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <atomic>

#include "figure.h"

std::mutex k, l;
std::atomic<int> a, b, y;
constexpr auto relaxed = std::memory_order_relaxed;
int x;

int main() {
  std::thread t1([] {
    x = 1;
    y.store(1, relaxed);
    pass(k);
    step();
  });
  std::thread t2([] {
    await(1);
    std::lock_guard<std::mutex> guard(l);
    (void)y.load(relaxed);
    a.store(1, relaxed);
    step();
  });
  std::thread t3([] {
    await(2);
    std::lock_guard<std::mutex> guard(l);
    b.store(1, relaxed);
    step();
  });
  std::thread t4([] {
    await(3);
    (void)(a.load(relaxed) + b.load(relaxed));
    pass(k);
    x = 2;
  });
  for (std::thread *t : {&t1, &t2, &t3, &t4}) t->join();
}
