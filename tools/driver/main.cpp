// predrace-clang, predrace-clang++: clang with one more sanitizer.
//
// Without -fsanitize=predrace this is the pinned clang and nothing else. With it, the option is taken out and
// one of two configuration files put in its place (share/predrace): everything that PredRace adds to a
// command line is written there, so that a plain clang can do the same with --config=.
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tools/driver/installation.h"
#include "tools/driver/invocation.h"
#include "tools/driver/response_file.h"

namespace predrace {

namespace {

std::string programName;

[[noreturn]] void fail(const std::string& message) {
  fprintf(stderr, "%s: error: %s\n", programName.c_str(), message.c_str());
  exit(1);
}

void requireFile(const std::string& path) {
  if (access(path.c_str(), R_OK) != 0)
    fail("cannot read '" + path + "': " + strerror(errno) + " (PredRace's installation is incomplete)");
}

// Options that replace -fsanitize=predrace.
std::vector<std::string> predraceOptions(const Invocation& invocation) {
  if (std::string other = findConflict(invocation); !other.empty())
    fail("invalid argument '-fsanitize=predrace' not allowed with '-fsanitize=" + other + "'");
  if (!invocation.targetOption.empty())
    fail("unsupported option '-fsanitize=predrace' for '" + invocation.targetOption +
         "': only x86-64 is supported");
  if (!invocation.staticOption.empty() && invocation.output == Output::Executable)
    fail("invalid argument '" + invocation.staticOption +
         "' not allowed with '-fsanitize=predrace': its interceptors need a dynamic C library");
  Installation files = findInstallation();
  bool linksRuntime = invocation.output == Output::Executable && invocation.linkRuntime;
  const std::string& config = linksRuntime ? files.linkConfig : files.compileConfig;
  requireFile(config);
  requireFile(files.plugin);
  if (linksRuntime) requireFile(files.runtime);

  std::vector<std::string> options = {"--config=" + config};
  // clang passes these on only when it knows of a sanitizer itself.
  for (const std::string& list : invocation.ignorelists) {
    options.push_back("-Xclang");
    options.push_back(list);
  }
  return options;
}

// A library that must not have undefined symbols (-z defs) still leaves the runtime's to the executable. The
// last word wins, so this goes behind all other options.
void allowUndefined(std::vector<std::string>& arguments) {
  auto end = std::find(arguments.begin(), arguments.end(), "--");
  arguments.insert(end, {"-Xlinker", "-z", "-Xlinker", "undefs"});
}

// What the kernel takes for one command line is limited; expanded response files may be longer. A file
// without a name needs no cleaning up.
void shorten(std::vector<std::string>& arguments) {
  constexpr size_t kMaxBytes = 64 << 10;
  size_t bytes = 0;
  for (const std::string& a : arguments) bytes += a.size() + 1 + sizeof(char*);
  if (bytes <= kMaxBytes) return;
  int fd = memfd_create("predrace-clang arguments", 0);
  std::string text = joinWords(arguments);
  if (fd < 0 || write(fd, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    fail(std::string("cannot pass on ") + std::to_string(bytes) + " bytes of arguments: " + strerror(errno));
  arguments = {"@/proc/self/fd/" + std::to_string(fd)};
}

std::vector<char*> pointersTo(std::vector<std::string>& command) {
  std::vector<char*> pointers;
  for (std::string& a : command) pointers.push_back(a.data());
  pointers.push_back(nullptr);
  return pointers;
}

// Comes back only for --version, to add our own line; clang's first line must stay first for build systems.
int run(std::vector<std::string> command, bool comesBack) {
  std::vector<char*> argv = pointersTo(command);
  if (!comesBack) {
    execv(argv[0], argv.data());
    fail("cannot run '" + command[0] + "': " + strerror(errno));
  }
  pid_t pid;
  int status;
  if (int error = posix_spawn(&pid, argv[0], nullptr, nullptr, argv.data(), environ))
    fail("cannot run '" + command[0] + "': " + strerror(error));
  if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status)) return 1;
  if (WEXITSTATUS(status) == 0) printf("PredRace %s (-fsanitize=predrace)\n", PREDRACE_VERSION);
  return WEXITSTATUS(status);
}

int driverMain(int argc, char** argv) {
  programName = argv[0];
  programName.erase(0, programName.rfind('/') + 1);
  bool isCxx = programName.find("++") != std::string::npos;
  std::string clang = findClang();
  if (std::string why = checkClang(clang); !why.empty()) fail(why);

  std::vector<std::string> arguments(argv + 1, argv + argc);
  if (!arguments.empty() && arguments[0].starts_with("-cc1")) {  // not a driver command line
    arguments.insert(arguments.begin(), clang);
    return run(std::move(arguments), false);
  }
  Invocation invocation = readInvocation(expandResponseFiles(arguments));
  if (invocation.predrace) {
    arguments = predraceOptions(invocation);
    if (invocation.output == Output::Shared) allowUndefined(invocation.arguments);
  } else {
    arguments.clear();
  }
  arguments.insert(arguments.end(), invocation.arguments.begin(), invocation.arguments.end());
  shorten(arguments);
  std::vector<std::string> command = {clang};
  if (isCxx) command.push_back("--driver-mode=g++");
  command.insert(command.end(), arguments.begin(), arguments.end());
  return run(std::move(command), invocation.printsVersion);
}

}  // namespace

}  // namespace predrace

int main(int argc, char** argv) { return predrace::driverMain(argc, argv); }
