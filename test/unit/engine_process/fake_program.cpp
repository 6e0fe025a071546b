#include "test/unit/engine_process/fake_program.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <climits>
#include <cstring>
#include <fstream>
#include <sstream>

namespace predrace {

namespace {
constexpr uint64_t kVariables = 0x7f0000000000;
constexpr uint32_t kSites = 1000;
}  // namespace

FakeProgram::FakeProgram(const std::string& options) {
  memfd_ = memfd_create("fake", MFD_CLOEXEC);
  EXPECT_EQ(ftruncate(memfd_, static_cast<off_t>(kSessionBytes)), 0);
  session_ = static_cast<Session*>(
      mmap(nullptr, kSessionBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, memfd_, 0));
  EXPECT_NE(session_, MAP_FAILED);
  session_->magic = kSessionMagic;
  session_->version = kSessionVersion;
  session_->pid = static_cast<uint32_t>(getpid());
  session_->mainThread = 0;
  session_->ringCount = 1;
  std::strncpy(session_->options, options.c_str(), kOptionsBytes - 1);
  std::strcpy(session_->program, "/fake/program");
  for (uint32_t i = 1; i < kSites; ++i) contextsOf(session_)[i] = {0x400000 + i, 0, 0};
  session_->contextCount = kSites;
  writers_.emplace_back().attach(ringOf(session_, 0));
  EXPECT_EQ(pipe2(programPipe_, O_CLOEXEC), 0);
  EXPECT_EQ(pipe2(enginePipe_, O_CLOEXEC), 0);
  EXPECT_EQ(pipe2(outputPipe_, O_CLOEXEC), 0);
}

FakeProgram::~FakeProgram() {
  if (status_ == -1 && engine_ > 0) output();
  munmap(session_, kSessionBytes);
  for (int fd : {memfd_, programPipe_[0], programPipe_[1], enginePipe_[0], enginePipe_[1], outputPipe_[0],
                 outputPipe_[1]}) {
    if (fd >= 0) close(fd);
  }
}

void FakeProgram::startEngine() {
  engine_ = fork();
  if (engine_ == 0) {
    // First out of the way, then into place.
    int from[] = {memfd_, programPipe_[0], enginePipe_[1]},
        to[] = {kSessionFd, kProgramPipeFd, kEnginePipeFd};
    int high[3];
    int out = fcntl(outputPipe_[1], F_DUPFD, 100);
    for (int i = 0; i < 3; ++i) high[i] = fcntl(from[i], F_DUPFD_CLOEXEC, 100);
    for (int i = 0; i < 3; ++i) dup2(high[i], to[i]);
    dup2(out, STDERR_FILENO);
    close(out);
    for (int fd = 6; fd < 100; ++fd) close(fd);
    execl(PREDRACE_ENGINE, "predrace-engine", static_cast<char*>(nullptr));
    _exit(127);
  }
  close(outputPipe_[1]);
  outputPipe_[1] = -1;
  close(enginePipe_[1]);
  enginePipe_[1] = -1;
}

uint32_t FakeProgram::objectOf(const std::string& name) {
  return objects_.try_emplace(name, kMemoryObject + 1 + static_cast<uint32_t>(objects_.size())).first->second;
}

void FakeProgram::push(uint32_t ring, Slot s) {
  while (!writers_[ring].fits(1)) usleep(100);
  writers_[ring].push(s);
}

void FakeProgram::push(uint32_t ring, Slot s, Slot more) {
  while (!writers_[ring].fits(2)) usleep(100);
  writers_[ring].push(s, more);
}

uint32_t FakeProgram::threadOf(const std::string& name) {
  auto [at, fresh] = threads_.try_emplace(name, static_cast<uint32_t>(threads_.size()) + 1);
  uint32_t id = at->second;
  if (fresh) {
    uint32_t object = objectOf("thread " + name);
    push(0, syncSlot(RecordKind::Fork, object, ticket(object), 500 + id, id));
    writers_.emplace_back().attach(ringOf(session_, id));
    __atomic_store_n(&session_->ringCount, id + 1, __ATOMIC_RELEASE);
    push(id, syncSlot(RecordKind::Begin, object, ticket(object), 0, id));
  }
  return id;
}

void FakeProgram::tell(const std::string& std_text) {
  std::istringstream lines(std_text);
  std::string line;
  while (std::getline(lines, line)) {
    size_t bar = line.find('|'), open = line.find('('), shut = line.find(')');
    if (line.empty() || line[0] == '#') continue;
    uint32_t thread = threadOf(line.substr(0, bar));
    std::string op = line.substr(bar + 1, open - bar - 1), target = line.substr(open + 1, shut - open - 1);
    Site site = static_cast<Site>(std::stoul(line.substr(shut + 2)));
    if (op == "r" || op == "w") {
      uint64_t variable = variables_.try_emplace(target, variables_.size()).first->second;
      push(thread, accessSlot(op == "r" ? RecordKind::Read : RecordKind::Write, kVariables + 8 * variable, 4,
                              4, site));
      continue;
    }
    ASSERT_TRUE(op == "acq" || op == "rel") << line;
    uint32_t object = objectOf(target);
    push(thread,
         syncSlot(op == "acq" ? RecordKind::Acquire : RecordKind::Release, object, ticket(object), site, 0));
  }
}

void FakeProgram::tellFile(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  ASSERT_FALSE(text.str().empty()) << path;
  tell(text.str());
}

void FakeProgram::finish() {
  __atomic_store_n(&session_->phase, static_cast<uint32_t>(Phase::Finishing), __ATOMIC_SEQ_CST);
  __atomic_fetch_add(&session_->doorbell, 1, __ATOMIC_SEQ_CST);
  syscall(SYS_futex, &session_->doorbell, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
  while (!__atomic_load_n(&session_->finished, __ATOMIC_SEQ_CST)) {
    timespec timeout{1, 0};
    syscall(SYS_futex, &session_->finished, FUTEX_WAIT, 0, &timeout, nullptr, 0);
    if (waitpid(engine_, &status_, WNOHANG) == engine_) return;
  }
}

void FakeProgram::die() {
  close(programPipe_[1]);
  programPipe_[1] = -1;
}

std::string FakeProgram::output() {
  std::string text;
  char buffer[4096];
  while (true) {
    ssize_t n = read(outputPipe_[0], buffer, sizeof(buffer));
    if (n <= 0) break;
    text.append(buffer, static_cast<size_t>(n));
  }
  if (status_ == -1) waitpid(engine_, &status_, 0);
  return text;
}

}  // namespace predrace
