// What a waiter does after it woke is inside the mutex again.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable condition;
int turn, moves;

int main() {
  auto play = [](int me) {
    for (int i = 0; i < 100; i++) {
      std::unique_lock<std::mutex> guard(mutex);
      condition.wait(guard, [me] { return turn == me; });
      moves++;
      turn = 1 - me;
      condition.notify_all();
    }
  };
  std::thread a(play, 0), b(play, 1);
  a.join();
  b.join();
  return moves == 200 ? 0 : 1;
}
