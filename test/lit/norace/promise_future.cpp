// A promise's value, read through its future.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <future>
#include <thread>

int side;

int main() {
  std::promise<int> promise;
  auto future = promise.get_future();
  std::thread t([&promise] {
    side = 1;
    promise.set_value(41);
  });
  int value = future.get() + side;
  t.join();
  return value == 42 ? 0 : 1;
}
