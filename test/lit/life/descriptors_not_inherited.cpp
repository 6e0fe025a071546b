// A program that is exec'd inherits none of our descriptors.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <thread>

int main(int argc, char **argv) {
  if (argc > 1) {
    int highest = 0;
    DIR *directory = opendir("/proc/self/fd");
    while (dirent *entry = readdir(directory))
      if (atoi(entry->d_name) != dirfd(directory) && atoi(entry->d_name) > highest)
        highest = atoi(entry->d_name);
    return highest <= 2 ? 0 : 1;
  }
  // What lit and the shell left open is not ours to judge.
  for (int fd = 3; fd < 64; fd++) close(fd);
  std::thread([] {}).join();
  execl("/proc/self/exe", argv[0], "child", nullptr);
  return 2;
}
