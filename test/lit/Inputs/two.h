/* Two threads, alive at the same time, whose work happens one after the other in every run, without
 * any synchronisation that a detector could see (order.h).
 *
 *   in_order(first, second)
 *   in_told_order(first, second)   the same, and the engine knows that first was first */
#ifndef PREDRACE_TEST_TWO_H
#define PREDRACE_TEST_TWO_H

#include <pthread.h>
#include <stddef.h>

#include "order.h"

static void (*two_first)(void);
static void (*two_second)(void);
static int two_told;

static __attribute__((unused)) void *thread_one(void *unused) {
  two_first();
  if (two_told) told();
  step();
  return NULL;
}

static __attribute__((unused)) void *thread_two(void *unused) {
  await(1);
  if (two_told) told();
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

static __attribute__((unused, noinline)) void in_told_order(void (*first)(void), void (*second)(void)) {
  two_told = 1;
  in_order(first, second);
}

#endif
