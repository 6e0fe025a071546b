// One program, several situations, for tests that run it under different engines. The argument says which:
//   happened   two writes that nothing orders
//   hidden     two writes that only the hand-over of a lock orders in this run
//   joined     two writes without a lock, one in a thread that has been joined
//   locked     two writes, always under the same lock
#include <mutex>
#include <string_view>
#include <thread>

#include "two.h"

std::mutex m;
int x, y, z;

void write_x() { x = 1; }

void write_then_lock() {
  x = 1;
  m.lock();
  y = 1;
  m.unlock();
}
void lock_then_write() {
  m.lock();
  z = 1;
  m.unlock();
  x = 2;
}

void write_locked() {
  m.lock();
  x = 1;
  m.unlock();
}

int main(int, char **argv) {
  std::string_view situation = argv[1];
  if (situation == "happened") {
    in_order(write_x, write_x);
  } else if (situation == "hidden") {
    in_order(write_then_lock, lock_then_write);
  } else if (situation == "joined") {
    std::thread(write_x).join();
    write_x();
  } else if (situation == "locked") {
    in_order(write_locked, write_locked);
  } else {
    return 1;
  }
}
