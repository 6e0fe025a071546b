// Objects with a mutex inside are allocated and freed in many threads.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <mutex>
#include <thread>
#include <vector>

struct Account {
  std::mutex mutex;
  int balance = 0;
};

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; i++)
    threads.emplace_back([] {
      for (int n = 0; n < 100; n++) {
        auto *account = new Account;
        std::thread other([account] {
          std::lock_guard<std::mutex> guard(account->mutex);
          account->balance++;
        });
        {
          std::lock_guard<std::mutex> guard(account->mutex);
          account->balance++;
        }
        other.join();
        if (account->balance != 2) __builtin_trap();
        delete account;
      }
    });
  for (auto &t : threads) t.join();
}
