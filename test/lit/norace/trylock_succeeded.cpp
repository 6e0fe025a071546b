// A trylock that succeeds is a section like any other.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <mutex>

#include "two.h"

std::mutex mutex;
int shared;
void add() {
  while (!mutex.try_lock()) sched_yield();
  shared++;
  mutex.unlock();
}

int main() {
  in_order(add, add);
  return shared == 2 ? 0 : 1;
}
