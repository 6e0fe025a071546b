#include "runtime/rtl/engine_process.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/rtl/syscall.h"
#include "sanitizer_common/sanitizer_linux.h"

namespace __predrace {

namespace {

int programPipe = -1;  // write end: closes when this process ends or execs
int enginePipe = -1;   // read end: hangs up when the engine ends
uptr enginePipeInode;
int enginePid;

// What the two short-lived processes on the way to the engine share with us
// (they run in our memory while we wait).
struct Birth {
  const char* path;
  int sessionFd, programEnd, engineEnd;
  volatile int error;
  volatile int pid;
};

char engineStack[16384] ALIGNED(64);
char middleStack[16384] ALIGNED(64);

// The engine-to-be: descriptors 3, 4, 5 in order, nothing else, no blocked signals.
int becomeEngine(void* arg) {
  auto* birth = static_cast<Birth*>(arg);
  birth->pid = sys(SYS_getpid);
  int ends[] = {birth->sessionFd, birth->programEnd, birth->engineEnd};
  for (int& fd : ends) fd = sys(SYS_fcntl, fd, F_DUPFD, 16);
  for (int i = 0; i < 3; ++i) sys(SYS_dup2, ends[i], predrace::kSessionFd + i);
  int null = sys(SYS_openat, AT_FDCWD, "/dev/null", O_RDWR);
  sys(SYS_dup2, null, 0);
  sys(SYS_close_range, predrace::kEnginePipeFd + 1, ~0u, 0);
  u64 none = 0;
  sys(SYS_rt_sigprocmask, SIG_SETMASK, &none, 0, sizeof(none));
  const char* argv[] = {"predrace-engine", nullptr};
  uptr r = sys(SYS_execve, birth->path, argv, GetEnviron());
  birth->error = static_cast<int>(-r);
  sys(SYS_exit_group, 1);
  return 0;
}

constexpr int kCloneFlags = CLONE_VM | CLONE_VFORK;  // no exit signal

int becomeMiddle(void* arg) {
  uptr pid = internal_clone(becomeEngine, engineStack + sizeof(engineStack), kCloneFlags, arg, nullptr,
                            nullptr, nullptr);
  if (failed(pid)) static_cast<Birth*>(arg)->error = static_cast<int>(-pid);
  sys(SYS_exit_group, 0);
  return 0;
}

// Out of the way of programs that expect the next descriptor to be 3.
int moveHigh(int fd) {
  constexpr int kLowest[] = {1000, 200, 0};
  for (int lowest : kLowest) {
    uptr high = sys(SYS_fcntl, fd, F_DUPFD_CLOEXEC, lowest);
    if (failed(high)) continue;
    sys(SYS_close, fd);
    return static_cast<int>(high);
  }
  return fd;
}

uptr inodeOf(int fd) {
  struct stat st;
  return failed(sys(SYS_fstat, fd, &st)) ? 0 : st.st_ino;
}

}  // namespace

int spawnEngine(const char* path, int sessionFd) {
  int toEngine[2], fromEngine[2];
  if (uptr r = sys(SYS_pipe2, toEngine, O_CLOEXEC); failed(r)) return static_cast<int>(-r);
  if (uptr r = sys(SYS_pipe2, fromEngine, O_CLOEXEC); failed(r)) return static_cast<int>(-r);
  Birth birth = {path, sessionFd, toEngine[0], fromEngine[1], 0, 0};

  u64 all = ~0ull, old;
  sys(SYS_rt_sigprocmask, SIG_SETMASK, &all, &old, sizeof(all));
  // A process without an exit signal: no SIGCHLD, and wait() does not see it. The
  // engine below it would be an ordinary child after its exec, hence two steps.
  uptr middle = internal_clone(becomeMiddle, middleStack + sizeof(middleStack), kCloneFlags, &birth, nullptr,
                               nullptr, nullptr);
  if (failed(middle))
    birth.error = static_cast<int>(-middle);
  else
    while (sys(SYS_wait4, middle, 0, __WALL) == static_cast<uptr>(-EINTR)) {
    }
  sys(SYS_rt_sigprocmask, SIG_SETMASK, &old, 0, sizeof(old));

  sys(SYS_close, toEngine[0]);
  sys(SYS_close, fromEngine[1]);
  programPipe = moveHigh(toEngine[1]);
  enginePipe = moveHigh(fromEngine[0]);
  enginePipeInode = inodeOf(enginePipe);
  enginePid = birth.pid;
  if (birth.error) closeEnginePipes();
  return birth.error;
}

bool engineIsAlive() {
  // A program that closes all descriptors closes ours too, and the number may
  // belong to something else by now.
  if (inodeOf(enginePipe) == enginePipeInode) {
    pollfd p = {enginePipe, POLLIN, 0};
    sys(SYS_poll, &p, 1, 0);
    return !(p.revents & (POLLHUP | POLLERR));
  }
  return !failed(sys(SYS_kill, enginePid, 0));
}

void closeEnginePipes() {
  if (inodeOf(enginePipe) == enginePipeInode) {
    sys(SYS_close, programPipe);
    sys(SYS_close, enginePipe);
  }
  programPipe = enginePipe = -1;
}

void ringBell() {
  if (!__atomic_load_n(&session->sleeping, __ATOMIC_SEQ_CST)) return;
  __atomic_fetch_add(&session->doorbell, 1, __ATOMIC_SEQ_CST);
  sys(SYS_futex, &session->doorbell, FUTEX_WAKE, 1);
}

void futexWait(u32* word, u32 seen, unsigned milliseconds) {
  timespec timeout = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  sys(SYS_futex, word, FUTEX_WAIT, seen, &timeout);
}

}  // namespace __predrace
