// The last owner of a shared_ptr deletes; the count orders all others before it.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <memory>
#include <thread>
#include <vector>

struct Big {
  int values[10] = {};
};

int main() {
  auto big = std::make_shared<Big>();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; i++)
    threads.emplace_back([big, i]() mutable {
      big->values[i] = i;
      big.reset();
    });
  big.reset();
  for (auto &t : threads) t.join();
}
