// Input: the bytes of a trace, from a file, a pipe, or a stream of the standard library.
#ifndef PREDRACE_TRACE_INPUT_H
#define PREDRACE_TRACE_INPUT_H

#include <cstddef>
#include <cstdint>
#include <istream>
#include <memory>
#include <string>

namespace predrace {

class Input {
 public:
  virtual ~Input() = default;
  // Up to `room` bytes; 0 at the end, or if error() says why not.
  virtual size_t read(char* to, size_t room) = 0;
  virtual uint64_t size() const { return 0; }  // 0: not known
  const std::string& error() const { return error_; }

 protected:
  std::string error_;
};

// A path; `-` is the standard input. Null, with the reason in *error, if it cannot be read.
std::unique_ptr<Input> openInput(const std::string& path, std::string* error);
// REQUIRES: the stream outlives it.
std::unique_ptr<Input> streamInput(std::istream& stream);

}  // namespace predrace

#endif  // PREDRACE_TRACE_INPUT_H
