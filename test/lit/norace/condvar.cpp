// A consumer waits for a producer by condition variable.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable condition;
bool ready;
int data;

int main() {
  std::thread consumer([] {
    std::unique_lock<std::mutex> guard(mutex);
    condition.wait(guard, [] { return ready; });
    data++;
  });
  {
    std::lock_guard<std::mutex> guard(mutex);
    data = 1;
    ready = true;
  }
  condition.notify_one();
  consumer.join();
  return data == 2 ? 0 : 1;
}
