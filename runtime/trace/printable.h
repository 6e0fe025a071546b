// printable: text of a file, as part of a message: one line, of bounded length, and nothing that
// a terminal obeys.
#ifndef PREDRACE_TRACE_PRINTABLE_H
#define PREDRACE_TRACE_PRINTABLE_H

#include <cstddef>
#include <string>
#include <string_view>

namespace predrace {

inline std::string printable(std::string_view s, size_t longest = 80) {
  std::string out;
  for (char c : s.substr(0, longest)) out += static_cast<unsigned char>(c) < ' ' || c == '\x7f' ? '?' : c;
  return s.size() > longest ? out + "..." : out;
}

}  // namespace predrace

#endif  // PREDRACE_TRACE_PRINTABLE_H
