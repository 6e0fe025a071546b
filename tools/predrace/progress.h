// Progress: one line on a terminal that says how much of a trace has been read, and goes away.
#ifndef PREDRACE_TOOLS_PREDRACE_PROGRESS_H
#define PREDRACE_TOOLS_PREDRACE_PROGRESS_H

#include <chrono>
#include <string>

#include "runtime/trace/trace_reader.h"

namespace predrace {

class Progress {
 public:
  // Shows nothing if stderr is no terminal.
  Progress(const std::string& trace, const TraceReader& reader);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Cheap enough for every batch of events.
  void update();
  // Before anything else is printed.
  void clear();

 private:
  const std::string& trace_;
  const TraceReader& reader_;
  bool terminal_, shown_ = false;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace predrace

#endif  // PREDRACE_TOOLS_PREDRACE_PROGRESS_H
