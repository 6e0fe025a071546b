// The program's next descriptor is the one it would have got without PredRace.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <fcntl.h>
#include <unistd.h>

#include <thread>

int main() {
  int before = open("/dev/null", O_RDONLY);
  std::thread([] {}).join();
  int after = open("/dev/null", O_RDONLY);
  return after == before + 1 ? 0 : 1;
}
