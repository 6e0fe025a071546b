// longjmp out of many frames, a thousand times: the call context follows.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <setjmp.h>

#include <thread>

struct Loop {
  jmp_buf target;
  int count = 0;
};
__attribute__((noinline)) void dive(Loop *loop, int depth) {
  loop->count++;
  if (depth == 0) longjmp(loop->target, 1);
  dive(loop, depth - 1);
  asm volatile("");
}

int main() {
  auto work = [] {
    static thread_local Loop loop;
    volatile int round = 0;
    setjmp(loop.target);
    round = round + 1;
    if (round < 1000) dive(&loop, 10);
    if (loop.count != 999 * 11) __builtin_trap();
  };
  std::thread t(work), u(work);
  t.join();
  u.join();
}
