// std::async and what its result brings along.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <future>
#include <string>

std::string text;

int main() {
  auto future = std::async(std::launch::async, [] {
    text = "written by the task, long enough for the heap";
    return 7;
  });
  int value = future.get();
  return value == 7 && text.size() == 45 ? 0 : 1;
}
