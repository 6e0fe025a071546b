// Ends as it is told, with or without a data race before.
//
//   ending race|calm return|exit|_exit|quick_exit|abort|segv|term|kill|pthread_exit|exec|wait|sleep
//
// Exit code of the program's own: 5. `wait` says "ready" and goes on when stdin closes.
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "two.h"

int shared, own[2];
void first() { shared = 1; }
void second() { shared = 2; }
void calm_first() { own[0] = 1; }
void calm_second() { own[1] = 1; }

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  const char *end = argv[2];
  if (strcmp(argv[1], "race") == 0)
    in_told_order(first, second);
  else
    in_order(calm_first, calm_second);
  if (strcmp(end, "exit") == 0) exit(5);
  if (strcmp(end, "_exit") == 0) _exit(5);
  if (strcmp(end, "quick_exit") == 0) quick_exit(5);
  if (strcmp(end, "abort") == 0) abort();
  if (strcmp(end, "segv") == 0) *reinterpret_cast<volatile int *>(16) = 1;
  if (strcmp(end, "term") == 0) raise(SIGTERM);
  if (strcmp(end, "kill") == 0) raise(SIGKILL);
  if (strcmp(end, "pthread_exit") == 0) pthread_exit(nullptr);
  if (strcmp(end, "exec") == 0) execl("/bin/sh", "sh", "-c", "exit 5", nullptr);
  if (strcmp(end, "wait") == 0) {
    puts("ready");
    fflush(stdout);
    char c;
    while (read(0, &c, 1) > 0) {
    }
    in_order(calm_first, calm_second);
  }
  return 5;
}
