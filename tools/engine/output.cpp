#include "tools/engine/output.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "absl/strings/str_cat.h"

namespace predrace {

Output::Output(const char* logPath, uint32_t pid) {
  absl::string_view path = logPath == nullptr ? "stderr" : logPath;
  if (path == "stderr" || path.empty()) {
    fd_ = STDERR_FILENO;
  } else if (path == "stdout") {
    fd_ = STDOUT_FILENO;
  } else {
    path_ = absl::StrCat(path, ".", pid);
  }
}

int Output::fd() {
  if (fd_ >= 0) return fd_;
  fd_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (fd_ >= 0) return fd_;
  fd_ = STDERR_FILENO;
  line(absl::StrCat("WARNING: cannot open log file '", path_, "': ", std::strerror(errno)));
  return fd_;
}

void Output::write(absl::string_view text) {
  int to = fd();
  while (!text.empty()) {
    ssize_t n = ::write(to, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    text.remove_prefix(static_cast<size_t>(n));
  }
}

void Output::line(absl::string_view text) { write(absl::StrCat("PredRace: ", text, "\n")); }

bool Output::colour(absl::string_view flag) {
  if (flag == "auto") return isatty(fd());
  return flag == "always";
}

}  // namespace predrace
