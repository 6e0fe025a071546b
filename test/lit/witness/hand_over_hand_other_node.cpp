// A list locked hand over hand: the two write in different nodes, which no lock has in common. They meet if
// the second one goes first.
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
Node *step_on(Node *from) {
  Node *to = from->next;
  to->lock.lock();
  from->lock.unlock();
  return to;
}
void first() {
  head.lock.lock();
  Node *n = step_on(&head);
  x = 1;
  n = step_on(n);
  n->lock.unlock();
}
void second() {
  head.lock.lock();
  Node *n = step_on(step_on(&head));
  x = 2;
  n->lock.unlock();
}

int main() { in_order(first, second); }
