// Each thread sweeps an array of its own (1 MB, so that shadow memory misses the first cache too). The
// loop carries its sum along, so that no build turns it into vector code.
#include <vector>

#include "kernel.h"

int main(int argc, char **argv) {
  return run(argc, argv, 1500, [](int me, long amount) {
    std::vector<int> values(1 << 18, me);
    unsigned sum = 0;
    for (long round = 0; round < amount; round++)
      for (int &value : values) {
        sum = sum * 3 + static_cast<unsigned>(value);
        value = static_cast<int>(sum);
      }
    return static_cast<long>(sum);
  });
}
