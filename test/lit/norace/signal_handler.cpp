// A handler and the thread that it interrupts are one thread.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <signal.h>

#include <thread>

volatile sig_atomic_t hits;
int plain;
void handler(int) {
  hits = hits + 1;
  plain++;
}

int main() {
  signal(SIGUSR1, handler);
  std::thread t([] {
    for (int i = 0; i < 100; i++) {
      plain++;
      raise(SIGUSR1);
    }
  });
  t.join();
  return hits == 100 && plain == 200 ? 0 : 1;
}
