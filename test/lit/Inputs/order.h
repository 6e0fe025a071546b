/* Puts the threads of a test in one order that no race detector sees.
 *
 *   step()     one more step of the test is done
 *   await(n)   waits until n steps are done
 *   told()     makes the place of this moment among all told() known to the engine
 *
 * The counter is touched by inline assembly only: neither TSan nor PredRace instruments it, so it
 * makes the order of a run certain without making a happens-before edge. Nothing sleeps.
 * Accesses that nothing orders reach the engine in any order, so a test that says which of two racing
 * accesses is the earlier one puts told() between them: a relaxed atomic update, which makes no
 * happens-before edge either, but whose place is kept. (It does order the two in every witness.)
 * One counter per program or library; C and C++. */
#ifndef PREDRACE_TEST_ORDER_H
#define PREDRACE_TEST_ORDER_H

#include <sched.h>

__attribute__((weak)) int order_steps;

static inline __attribute__((no_sanitize("thread"), unused)) void step(void) {
  __asm__ __volatile__("lock incl %0" : "+m"(order_steps) : : "memory");
}

static inline __attribute__((no_sanitize("thread"), unused)) void await(int n) {
  for (;;) {
    int now;
    __asm__ __volatile__("movl %1, %0" : "=r"(now) : "m"(order_steps) : "memory");
    if (now >= n) return;
    sched_yield();
  }
}

__attribute__((weak)) int order_told;
static inline __attribute__((unused)) void told(void) {
  __atomic_fetch_add(&order_told, 1, __ATOMIC_RELAXED);
}

#endif
