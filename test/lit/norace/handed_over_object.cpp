// A block is filled without a lock, handed over under one, and read without a lock.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <mutex>
#include <thread>

std::mutex mutex;
int *handed;

int main() {
  std::thread producer([] {
    int *block = new int[100];
    for (int i = 0; i < 100; i++) block[i] = i;
    std::lock_guard<std::mutex> guard(mutex);
    handed = block;
  });
  int *block = nullptr;
  while (!block) {
    std::lock_guard<std::mutex> guard(mutex);
    block = handed;
  }
  int sum = 0;
  for (int i = 0; i < 100; i++) sum += block[i];
  producer.join();
  delete[] block;
  return sum == 4950 ? 0 : 1;
}
