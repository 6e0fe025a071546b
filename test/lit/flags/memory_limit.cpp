// Too little memory: the engine forgets, says so once, and invents nothing.
// RUN: %predrace_cxx %s -o %t
// RUN: env PREDRACE_OPTIONS=memory_limit_mb=1 %exits 0 --no-trace %t 2>&1 | FileCheck %s --allow-empty
// CHECK-NOT: WARNING: PredRace
#include <mutex>
#include <thread>
#include <vector>

std::mutex mutexes[64];
std::vector<long> values(1 << 16);

int main() {
  auto work = [](unsigned random) {
    for (int i = 0; i < 100000; i++) {
      random = random * 1664525u + 1013904223u;
      unsigned at = random >> 16;
      std::lock_guard<std::mutex> guard(mutexes[at % 64]);
      values[at]++;
    }
  };
  std::thread t(work, 1), u(work, 2);
  t.join();
  u.join();
}
