// A kernel of `tools/bench overhead`: two threads do the same amount of work, given on the command line.
//
//   int main(int argc, char **argv) { return run(argc, argv, default_amount, worker); }
//
// worker(thread, amount) runs in threads 0 and 1; its results are added and printed, so that nothing is
// optimised away and all builds can be seen to agree.
#ifndef PREDRACE_KERNELS_KERNEL_H
#define PREDRACE_KERNELS_KERNEL_H

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>

template <typename Worker>
int run(int argc, char **argv, long default_amount, Worker worker) {
  const long amount = argc > 1 ? std::atol(argv[1]) : default_amount;
  long results[2][16] = {};     // a cache line apart
  std::atomic<int> started{0};  // both begin together, or a short run would have no contention
  std::thread threads[2];
  for (int i = 0; i < 2; i++)
    threads[i] = std::thread([&, i] {
      for (started++; started < 2;) std::this_thread::yield();
      results[i][0] = worker(i, amount);
    });
  for (std::thread &t : threads) t.join();
  std::printf("%ld\n", results[0][0] + results[1][0]);
  return 0;
}

#endif  // PREDRACE_KERNELS_KERNEL_H
