// Both threads walk one shuffled list (read-shared, 4 MB) and write a field of their own in each node.
#include <vector>

#include "kernel.h"

struct Node {
  Node *next;
  int value;
  int mark[2];
};
static std::vector<Node> nodes(1 << 17);

int main(int argc, char **argv) {
  std::vector<int> order(nodes.size());
  for (size_t i = 0; i < order.size(); i++) order[i] = static_cast<int>(i);
  unsigned random = 42;
  for (size_t i = order.size() - 1; i > 0; i--) {
    random = random * 1664525u + 1013904223u;
    std::swap(order[i], order[(random >> 8) % (i + 1)]);
  }
  for (size_t i = 0; i < order.size(); i++) {
    nodes[order[i]].next = &nodes[order[(i + 1) % order.size()]];
    nodes[order[i]].value = static_cast<int>(i);
  }
  return run(argc, argv, 400, [](int me, long amount) {
    long sum = 0;
    Node *node = &nodes[0];
    for (long step = amount << 17; step > 0; step--) {
      sum += node->value;
      node->mark[me]++;
      node = node->next;
    }
    return sum;
  });
}
