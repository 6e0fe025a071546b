// Text: a report as people read it, in the form that ThreadSanitizer's users know.
#ifndef PREDRACE_REPORT_TEXT_H
#define PREDRACE_REPORT_TEXT_H

#include <string>

#include "runtime/report/record.h"

namespace predrace {

struct TextStyle {
  bool colour = false;
  bool summary = true;
  std::string frameFormat = "    #%n %f %S %M";  // as sanitizer_common's stack_trace_format
  std::string stripPathPrefix;
};

std::string renderText(const Report& report, const TextStyle& style);

}  // namespace predrace

#endif  // PREDRACE_REPORT_TEXT_H
