// A list locked hand over hand: what is written before and after the walk is not protected.
// RUN: %predrace_cxx %s -o %t
// RUN: %races %t 2>&1 | FileCheck %s
// CHECK: WARNING: PredRace: predicted data race (pid=
// CHECK: which was checked
// CHECK-NOT: WARNING: PredRace
#include <mutex>

#include "two.h"

struct Node {
  std::mutex lock;
  Node *next;
};
Node third{{}, nullptr}, second_node{{}, &third}, head{{}, &second_node};
int x;
void walk() {
  Node *n = &head;
  n->lock.lock();
  while (Node *next = n->next) {
    next->lock.lock();
    n->lock.unlock();
    n = next;
  }
  n->lock.unlock();
}
void first() {
  x = 1;
  walk();
}
void second() {
  walk();
  x = 2;
}

int main() { in_order(first, second); }
