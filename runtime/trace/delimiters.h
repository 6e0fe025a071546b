// Where the characters `|`, `(`, `)` and newline are: a line's fields without a look at each
// byte in turn.
#ifndef PREDRACE_TRACE_DELIMITERS_H
#define PREDRACE_TRACE_DELIMITERS_H

#include <cstddef>
#include <cstdint>

namespace predrace {

// How far beyond `size` bytes of text it reads, and beyond the delimiters found it writes.
constexpr size_t kDelimitersOverread = 64, kDelimitersOverwrite = 8;

// Writes the positions in [0, size), ascending, and returns how many there are.
// REQUIRES: `positions` has room for size + kDelimitersOverwrite, and size < 2^32.
size_t findDelimiters(const char* text, size_t size, uint32_t* positions);

}  // namespace predrace

#endif  // PREDRACE_TRACE_DELIMITERS_H
