// A program that never starts a thread is left alone.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent --no-trace %t
#include <stdio.h>

int values[1000];

int main() {
  for (int round = 0; round < 1000; round++)
    for (int &value : values) value += round;
  printf("%d\n", values[5]);
}
