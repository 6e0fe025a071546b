#include "tools/predrace/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace predrace {
namespace {

constexpr auto kInterval = std::chrono::milliseconds(200);
constexpr uint64_t kBar = 30;  // characters

}  // namespace

Progress::Progress(const std::string& trace, const TraceReader& reader)
    : trace_(trace),
      reader_(reader),
      terminal_(isatty(STDERR_FILENO)),
      next_(std::chrono::steady_clock::now() + kInterval) {}

void Progress::update() {
  if (!terminal_) return;
  auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + kInterval;
  shown_ = true;
  std::fprintf(stderr, "\r\033[K%s: ", trace_.c_str());
  if (uint64_t size = reader_.size()) {
    uint64_t done = std::min(reader_.bytes(), size);
    std::string bar(done * kBar / size, '#');
    bar.resize(kBar, '.');
    std::fprintf(stderr, "[%s] %3d%%, ", bar.c_str(), static_cast<int>(done * 100 / size));
  }
  std::fprintf(stderr, "%.1f M events", static_cast<double>(reader_.events()) / 1e6);
}

void Progress::clear() {
  if (shown_) std::fputs("\r\033[K", stderr);
  shown_ = false;
}

}  // namespace predrace
