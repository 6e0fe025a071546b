// A lock-free stack push read back by an acquiring exchange.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <atomic>

#include "two.h"

struct Node {
  int value;
  Node *next;
};
std::atomic<Node *> head;
int sum;
void first() {
  Node *node = new Node{5, nullptr};
  node->next = head.load(std::memory_order_relaxed);
  while (
      !head.compare_exchange_weak(node->next, node, std::memory_order_release, std::memory_order_relaxed)) {
  }
}
void second() {
  for (Node *node = head.exchange(nullptr, std::memory_order_acquire); node;) {
    sum += node->value;
    Node *next = node->next;
    delete node;
    node = next;
  }
}

int main() {
  in_order(first, second);
  return sum == 5 ? 0 : 1;
}
