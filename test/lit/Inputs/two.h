/* Two threads, alive at the same time, whose work happens one after the other in every run, without
 * any synchronisation that a detector could see (order.h). */
#ifndef PREDRACE_TEST_TWO_H
#define PREDRACE_TEST_TWO_H

#include <pthread.h>
#include <stddef.h>

#include "order.h"

static void (*two_first)(void);
static void (*two_second)(void);

static __attribute__((unused)) void *thread_one(void *unused) {
  two_first();
  step();
  return NULL;
}

static __attribute__((unused)) void *thread_two(void *unused) {
  await(1);
  two_second();
  return NULL;
}

static __attribute__((unused, noinline)) void in_order(void (*first)(void), void (*second)(void)) {
  pthread_t one, two;
  two_first = first;
  two_second = second;
  pthread_create(&one, NULL, thread_one, NULL);
  pthread_create(&two, NULL, thread_two, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
}

#endif
