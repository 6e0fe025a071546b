// pthread_once orders the initialisation before every user.
// RUN: %predrace_cxx %s -o %t
// RUN: %silent %t
#include <pthread.h>

#include "two.h"

pthread_once_t once = PTHREAD_ONCE_INIT;
int value, sum;
void initialise() { value = 7; }
void use() {
  pthread_once(&once, initialise);
  asm volatile("" : : "r"(value));
}

int main() { in_order(use, use); }
