// Strings handed over through a queue under a mutex.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
std::deque<std::string> queue;

int main() {
  size_t total = 0;
  std::thread consumer([&total] {
    for (;;) {
      std::unique_lock<std::mutex> guard(mutex);
      changed.wait(guard, [] { return !queue.empty(); });
      std::string text = std::move(queue.front());
      queue.pop_front();
      guard.unlock();
      if (text.empty()) return;
      total += text.size();
    }
  });
  for (int i = 0; i <= 200; i++) {
    std::string text(i < 200 ? 20 + i : 0, 'x');
    std::lock_guard<std::mutex> guard(mutex);
    queue.push_back(std::move(text));
    changed.notify_one();
  }
  consumer.join();
  return total == 200 * 20 + 199 * 200 / 2 ? 0 : 1;
}
