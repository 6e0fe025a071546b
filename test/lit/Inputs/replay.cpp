// Performs a trace in the .std dialect with real threads, locks and variables, in exactly its order.
//
//   replay TRACE.std
//
// Threads are made by their fork event, or at the start if they have none. Only the accesses of the trace
// are instrumented: the interpreter itself is excluded and its steps are ordered invisibly (order.h), so
// the detector sees the trace's own events and, around them, the forks and joins of main. Variables
// are a cache line apart. Shared sections make a lock a rwlock; atomics are relaxed.
// Not thread-safe tables: filled by main before the first thread.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "order.h"

#define INVISIBLE __attribute__((no_sanitize("thread"), noinline))

enum { kEvents = 4096, kNames = 256 };

struct Names {
  char text[kNames][32];
  int count;
};
enum Op { R, W, AR, AW, AU, FORK, JOIN, ACQ, REL, RACQ, RREL, kOps };
static const char *const kOpNames[kOps] = {"r",    "w",   "ar",  "aw",   "au",  "fork",
                                           "join", "acq", "rel", "racq", "rrel"};

struct Step {
  Op op;
  int thread;
  int target;
};
struct alignas(64) Variable {
  int value;
};

static Step steps[kEvents];
static int step_count;
static Names threads, locks, variables;
static bool forked[kNames], joined[kNames], shared[kNames];
static pthread_t handles[kNames];
static pthread_mutex_t mutexes[kNames];
static pthread_rwlock_t rwlocks[kNames];
static Variable memory[kNames];

__attribute__((noinline)) void plain_read(int *p) { asm volatile("" : : "r"(*p)); }
__attribute__((noinline)) void plain_write(int *p) { *p = 1; }
__attribute__((noinline)) void atomic_read(int *p) { (void)__atomic_load_n(p, __ATOMIC_RELAXED); }
__attribute__((noinline)) void atomic_write(int *p) { __atomic_store_n(p, 1, __ATOMIC_RELAXED); }
__attribute__((noinline)) void atomic_update(int *p) { (void)__atomic_fetch_add(p, 1, __ATOMIC_RELAXED); }

INVISIBLE static int number(Names *names, const char *text) {
  for (int i = 0; i < names->count; i++)
    if (strcmp(names->text[i], text) == 0) return i;
  if (names->count == kNames) exit(2);
  snprintf(names->text[names->count], sizeof names->text[0], "%s", text);
  return names->count++;
}

INVISIBLE static void *body(void *me);

INVISIBLE static void perform(const Step *s) {
  int *p = &memory[s->target].value;
  pthread_mutex_t *mutex = &mutexes[s->target];
  pthread_rwlock_t *rwlock = &rwlocks[s->target];
  switch (s->op) {
    case R:
      return plain_read(p);
    case W:
      return plain_write(p);
    case AR:
      return atomic_read(p);
    case AW:
      return atomic_write(p);
    case AU:
      return atomic_update(p);
    case FORK:
      pthread_create(&handles[s->target], nullptr, body, reinterpret_cast<void *>(long(s->target)));
      return;
    case JOIN:
      pthread_join(handles[s->target], nullptr);
      return;
    case ACQ:
      shared[s->target] ? pthread_rwlock_wrlock(rwlock) : pthread_mutex_lock(mutex);
      return;
    case REL:
      shared[s->target] ? pthread_rwlock_unlock(rwlock) : pthread_mutex_unlock(mutex);
      return;
    case RACQ:
      pthread_rwlock_rdlock(rwlock);
      return;
    case RREL:
      pthread_rwlock_unlock(rwlock);
      return;
    case kOps:
      return;
  }
}

INVISIBLE static void *body(void *me) {
  for (int i = 0; i < step_count; i++) {
    if (steps[i].thread != int(reinterpret_cast<long>(me))) continue;
    await(i);
    perform(&steps[i]);
    step();
  }
  return nullptr;
}

INVISIBLE static void load(const char *path) {
  FILE *file = fopen(path, "r");
  if (!file) exit(2);
  char line[256], thread[32], op[8], target[32];
  while (fgets(line, sizeof line, file)) {
    if (line[0] == '#' || sscanf(line, " %31[^|]|%7[a-z](%31[^)])", thread, op, target) != 3) continue;
    int known = 0;
    while (known < kOps && strcmp(op, kOpNames[known]) != 0) known++;
    if (known == kOps || step_count == kEvents) exit(2);
    Step *s = &steps[step_count++];
    s->op = Op(known);
    s->thread = number(&threads, thread);
    const bool other = s->op == FORK || s->op == JOIN, lock = s->op >= ACQ;
    s->target = number(lock ? &locks : other ? &threads : &variables, target);
    if (s->op == FORK) forked[s->target] = true;
    if (s->op == JOIN) joined[s->target] = true;
    if (s->op == RACQ) shared[s->target] = true;
  }
  fclose(file);
}

INVISIBLE int main(int argc, char **argv) {
  if (argc != 2) return 2;
  load(argv[1]);
  for (int i = 0; i < kNames; i++) {
    pthread_mutex_init(&mutexes[i], nullptr);
    pthread_rwlock_init(&rwlocks[i], nullptr);
  }
  for (long i = 0; i < threads.count; i++)
    if (!forked[i]) pthread_create(&handles[i], nullptr, body, reinterpret_cast<void *>(i));
  for (int i = 0; i < threads.count; i++) {
    if (forked[i]) await(step_count);
    if (!joined[i]) pthread_join(handles[i], nullptr);
  }
}
