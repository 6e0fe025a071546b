// Output: where messages and reports go: stderr, stdout, or log_path.PID.
//
// Each call is one write(2), so that what the program prints meanwhile does not
// tear a report apart.
#ifndef PREDRACE_TOOLS_ENGINE_OUTPUT_H
#define PREDRACE_TOOLS_ENGINE_OUTPUT_H

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace predrace {

class Output {
 public:
  // `logPath` may be null: stderr. The file is made at the first message; where
  // that fails, one line says so and stderr is used.
  Output(const char* logPath, uint32_t pid);

  void write(absl::string_view text);
  // "PredRace: " + text + newline.
  void line(absl::string_view text);
  // For the color flag: "auto", "always" or "never".
  bool colour(absl::string_view flag);

 private:
  int fd();
  std::string path_;
  int fd_ = -1;
};

}  // namespace predrace

#endif  // PREDRACE_TOOLS_ENGINE_OUTPUT_H
