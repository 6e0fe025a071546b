// Suppress: reports that the user does not want to see.
//
// A line of the file is `race:pattern`; the pattern (`*` stands for anything, `^`
// and `$` anchor) is matched against function names, source files and modules of
// both accesses' frames, as ThreadSanitizer does.
#ifndef PREDRACE_REPORT_SUPPRESS_H
#define PREDRACE_REPORT_SUPPRESS_H

#include <string>
#include <utility>
#include <vector>

#include "runtime/report/record.h"

namespace predrace {

class Suppressions {
 public:
  Suppressions();
  ~Suppressions();
  Suppressions(const Suppressions&) = delete;

  // Empty if all went well, else what was wrong: the file's name, line, and why.
  std::string parseFile(const std::string& path);
  std::string parse(const std::string& text, const std::string& name);

  bool matches(const Report& report);
  // Patterns that matched something, and how often.
  std::vector<std::pair<std::string, unsigned>> matched() const;

 private:
  struct Context;
  Context* context_;  // sanitizer_common's, never freed: it cannot be
};

}  // namespace predrace

#endif  // PREDRACE_REPORT_SUPPRESS_H
