// A list locked hand over hand: one writes in the third node, the other in the second after a look at the
// third. Nobody overtakes it there, so they never meet, although they have no lock in common.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
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
  Node *n = step_on(step_on(&head));
  x = 1;
  n->lock.unlock();
}
void second() {
  head.lock.lock();
  Node *n = step_on(&head);
  n->next->lock.lock();
  n->next->lock.unlock();
  x = 2;
  n->lock.unlock();
}

int main() { in_order(first, second); }
