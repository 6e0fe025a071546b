#include "tools/engine/service.h"

#include <linux/futex.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdio>
#include <fstream>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace predrace {

namespace {

// About 10 ms of analysis: how often the program's end is looked for under load.
constexpr uint64_t kRound = 1 << 17;
// Rounds without a record before the engine sleeps; a round looks at every ring.
constexpr unsigned kSpins = 64;
// How long a killed program may go unnoticed while the engine sleeps. Grows with the
// time that nothing happened, so that an idle program costs next to nothing.
constexpr int64_t kStallSeconds = 30;
constexpr long kShortestNap = 1'000'000, kLongestNap = 16'000'000;  // ns

// Both sides of the futex are different processes, hence not the PRIVATE forms.
void futexWake(uint32_t* word) { syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0); }
void futexWait(uint32_t* word, uint32_t value, long nanoseconds) {
  timespec timeout{0, nanoseconds};
  syscall(SYS_futex, word, FUTEX_WAIT, value, &timeout, nullptr, 0);
}

}  // namespace

Service::Service(Session* session, int programPipe, Pipeline& pipeline, Output& output)
    : session_(session),
      programEnd_(programPipe),
      pipeline_(pipeline),
      output_(output),
      merger_([](Ring* ring) { futexWake(&ring->tailWake); }) {}

void Service::addRings() {
  uint32_t count = std::min(__atomic_load_n(&session_->ringCount, __ATOMIC_ACQUIRE), kMaxRings);
  while (merger_.rings() < count) {
    uint32_t i = static_cast<uint32_t>(merger_.rings());
    merger_.addRing(ringOf(session_, i), i == 0 ? session_->mainThread : kNone);
  }
}

void Service::giveUp(absl::string_view why) {
  broken_ = true;
  output_.line(absl::StrCat("INTERNAL: bad data from the program, the analysis stops here: ", why));
}

uint64_t Service::drain(uint64_t budget) {
  addRings();
  if (broken_) {
    merger_.discard();
    return 0;
  }
  bool taken = true;
  uint64_t n = merger_.run(
      budget,
      [&](uint32_t thread, const Slot& s, const Slot& more) {
        return taken = pipeline_.take(thread, s, more);
      },
      [&](uint32_t thread, const Slot& near, const Slot& far) { pipeline_.ahead(thread, near, far); });
  if (!taken) giveUp(pipeline_.error());
  if (merger_.corrupt()) giveUp("a slot that is no record");
  return n;
}

// A thread that was killed inside the runtime can leave a ticket that nobody ever
// tells, and the others would wait for ever. A stopped program is not that.
void Service::watchForStall() {
  if (!merger_.holdsUpAWriter()) {
    stalled_ = 0;
    return;
  }
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (stalled_ == 0) stalled_ = now.tv_sec;
  if (now.tv_sec - stalled_ < kStallSeconds) return;
  stalled_ = 0;
  std::ifstream stat(absl::StrCat("/proc/", session_->pid, "/stat"));
  std::string text;
  std::getline(stat, text);
  size_t name = text.rfind(')');  // state follows: "pid (name) S ..."
  char state = name != std::string::npos && name + 2 < text.size() ? text[name + 2] : '?';
  if (state != 'T' && state != 't') giveUp("a record that others wait for never came");
}

// The program never writes into the pipe: anything poll() says is its end, unless it
// closed its end as one of all its descriptors, as daemons do. Then it still has the
// session mapped (after exec it has not), and its death shows on a descriptor of itself.
bool Service::programEnded() {
  if (__atomic_load_n(&session_->phase, __ATOMIC_ACQUIRE) == static_cast<uint32_t>(Phase::Finishing))
    return true;
  pollfd end{programEnd_, POLLIN, 0};
  if (poll(&end, 1, 0) <= 0) return false;
  if (watchesProcess_ || !programHasSession()) return true;
  int process = static_cast<int>(syscall(SYS_pidfd_open, session_->pid, 0));
  if (process < 0) return true;
  programEnd_ = process;
  watchesProcess_ = true;
  return false;
}

bool Service::programHasSession() const {
  struct stat session{};
  if (fstat(kSessionFd, &session) != 0) return false;
  std::ifstream maps(absl::StrCat("/proc/", session_->pid, "/maps"));
  for (std::string line; std::getline(maps, line);) {
    unsigned long inode = 0;  // begin-end flags offset device inode path
    if (std::sscanf(line.c_str(), "%*s %*s %*s %*s %lu", &inode) == 1 && inode == session.st_ino &&
        absl::StrContains(line, "/memfd:predrace"))
      return true;
  }
  return false;
}

void Service::sleep() {
  uint32_t bell = __atomic_load_n(&session_->doorbell, __ATOMIC_SEQ_CST);
  __atomic_store_n(&session_->sleeping, 1, __ATOMIC_SEQ_CST);
  if (drain(kRound) == 0) {
    long nap = std::min(kLongestNap, kShortestNap * static_cast<long>(1 + (idle_ - kSpins) / 4));
    futexWait(&session_->doorbell, bell, nap);
    watchForStall();
  } else {
    idle_ = 0;
  }
  __atomic_store_n(&session_->sleeping, 0, __ATOMIC_SEQ_CST);
}

void Service::run() {
  while (true) {
    if (drain(kRound) != 0) {
      idle_ = 0;
      pipeline_.attend(false);
      if (programEnded()) break;
      continue;
    }
    if (++idle_ < kSpins) {
      for (int i = 0; i < 32; ++i) __builtin_ia32_pause();
      continue;
    }
    if (programEnded()) break;
    pipeline_.attend(true);
    sleep();
  }
  finish();
}

void Service::finish() {
  addRings();
  merger_.freeze();
  pipeline_.ending();
  while (drain(kRound) != 0 || merger_.skipGap()) pipeline_.attend(false);
  pipeline_.finish();
}

void Service::sayFinished() {
  __atomic_store_n(&session_->finished, 1, __ATOMIC_SEQ_CST);
  futexWake(&session_->finished);
}

}  // namespace predrace
