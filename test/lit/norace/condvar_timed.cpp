// Timed waits, one that is notified and one that gives up.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <pthread.h>
#include <time.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable condition;
bool ready, never;
int data;

int main() {
  std::thread consumer([] {
    std::unique_lock<std::mutex> guard(mutex);
    condition.wait_for(guard, std::chrono::milliseconds(1), [] { return never; });
    condition.wait_for(guard, std::chrono::seconds(100), [] { return ready; });
    data++;
  });
  {
    std::lock_guard<std::mutex> guard(mutex);
    data = 1;
    ready = true;
  }
  condition.notify_all();
  consumer.join();
  return data == 2 ? 0 : 1;
}
