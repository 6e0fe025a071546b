// The child of a threaded program starts threads of its own. (TSan 19 dies.)
// UNSUPPORTED: tsan
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <sys/wait.h>
#include <unistd.h>

#include <mutex>
#include <thread>

std::mutex mutex;
int shared;
void both() {
  auto add = [] {
    std::lock_guard<std::mutex> guard(mutex);
    shared++;
  };
  std::thread t(add), u(add);
  t.join();
  u.join();
}

int main() {
  both();
  pid_t child = fork();
  both();
  if (child == 0) return shared == 4 ? 0 : 1;
  int status;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 && shared == 4 ? 0 : 1;
}
