#include "tools/driver/installation.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace predrace {

Installation findInstallation() {
  std::error_code ignored;  // an empty prefix names files that do not exist, which is then said
  std::filesystem::path prefix =
      std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path().parent_path();
  std::filesystem::path lib = prefix / "lib" / "predrace", share = prefix / "share" / "predrace";
  return {share / "compile.cfg", share / "predrace.cfg", lib / "PredRacePass.so", lib / "libpredrace_rt.a"};
}

std::string findClang() {
  const char* chosen = getenv("PREDRACE_CLANG");
  std::string clang = chosen && *chosen ? chosen : PREDRACE_PINNED_CLANG;
  unsetenv("PREDRACE_CLANG");  // should it name this very driver, the next one takes the pinned clang
  return clang;
}

// The version that a program prints with -dumpversion.
static std::string versionOf(const std::string& clang) {
  std::string quoted = "'";
  for (char c : clang) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  FILE* pipe = popen((quoted + "' -dumpversion 2>/dev/null").c_str(), "r");
  if (!pipe) return "";
  char line[64] = "";
  if (!fgets(line, sizeof line, pipe)) line[0] = 0;
  pclose(pipe);
  line[strcspn(line, "\n")] = 0;
  return line;
}

std::string checkClang(const std::string& clang) {
  if (access(clang.c_str(), X_OK) != 0)
    return "cannot run '" + clang + "': " + strerror(errno) +
           " (PredRace needs clang " PREDRACE_LLVM_MAJOR "; PREDRACE_CLANG names another place)";
  if (clang == PREDRACE_PINNED_CLANG) return "";
  std::string version = versionOf(clang);
  if (!version.starts_with(PREDRACE_LLVM_MAJOR "."))
    return "'" + clang + "' is version '" + version + "', but PredRace needs clang " PREDRACE_LLVM_MAJOR;
  return "";
}

}  // namespace predrace
