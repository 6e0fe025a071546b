// What an analysis found, as text or as JSON, to stdout.
#ifndef PREDRACE_TOOLS_PREDRACE_FINDINGS_OUTPUT_H
#define PREDRACE_TOOLS_PREDRACE_FINDINGS_OUTPUT_H

#include <string>
#include <string_view>

#include "runtime/trace/trace_reader.h"
#include "tools/predrace/analysis.h"

namespace predrace {

void printText(const Findings& findings, const std::string& trace, const TraceReader& reader);
// One object on one line.
void printJson(const Findings& findings, const std::string& trace, const TraceReader& reader);

// In quotes. Bytes that are not UTF-8 become U+FFFD.
std::string jsonString(std::string_view s);

}  // namespace predrace

#endif  // PREDRACE_TOOLS_PREDRACE_FINDINGS_OUTPUT_H
