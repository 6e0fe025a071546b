// The engine is killed while threads write as fast as they can: they do not wait for it for ever.
// RUN: %predrace_cxx %s -o %t
// RUN: %python %inputs/life.py --exit 5 --kill engine %t 2>&1 | FileCheck %s
// CHECK: PredRace: WARNING: {{.*}}engine{{.*}}
// CHECK-NOT: {{.}}
#include <stdio.h>
#include <unistd.h>

#include <atomic>
#include <mutex>
#include <thread>

std::mutex mutex;
std::atomic<bool> done;
long values[1 << 12];

int main() {
  auto work = [] {
    for (long i = 0; !done; i++) {
      std::lock_guard<std::mutex> guard(mutex);
      for (int n = 0; n < 64; n++) values[(i * 64 + n) % (1 << 12)]++;
    }
  };
  std::thread t(work), u(work);
  puts("ready");
  fflush(stdout);
  char c;
  while (read(0, &c, 1) > 0) {
  }
  done = true;
  t.join();
  u.join();
  return 5;
}
