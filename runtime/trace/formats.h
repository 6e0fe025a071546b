// The formats of traces: one table, for those who open a file by its name.
#ifndef PREDRACE_TRACE_FORMATS_H
#define PREDRACE_TRACE_FORMATS_H

#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <string_view>

#include "runtime/trace/input.h"
#include "runtime/trace/trace_reader.h"

namespace predrace {

struct Format {
  std::string_view name;
  std::string_view extension;  // how a file's name ends
  std::unique_ptr<TraceReader> (*reader)(std::unique_ptr<Input> in, std::string file);
  std::unique_ptr<TraceWriter> (*writer)(std::ostream& out);
  std::string_view help;  // for users: what it is, and what is accepted
};

std::span<const Format> formats();
// By the end of the file's name. Null: there is none.
const Format* formatOf(std::string_view path);

// Opens a trace; `-` is the standard input. A name that no format claims is read as the first
// format. Null, with a whole message in *error, if it cannot be read.
std::unique_ptr<TraceReader> openTrace(const std::string& path, std::string* error);

}  // namespace predrace

#endif  // PREDRACE_TRACE_FORMATS_H
