// Symbolizer: addresses of the program become functions, files and lines.
//
// Not thread-safe. Asks llvm-symbolizer, as a child process through
// sanitizer_common, started at the first question. Without it, frames are module
// and offset.
#ifndef PREDRACE_REPORT_SYMBOLIZE_H
#define PREDRACE_REPORT_SYMBOLIZE_H

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "runtime/report/record.h"

namespace __sanitizer {
class LLVMSymbolizer;
}

namespace predrace {

struct GlobalName {
  std::string name, module;
  uint64_t address = 0, size = 0, offset = 0;
};

// The first of these that is an executable file; empty if there is none.
// `preferred` may have names without '/', which are looked up in PATH.
std::string findProgram(const std::vector<std::string>& preferred);

class Symbolizer {
 public:
  // `program` is llvm-symbolizer; empty: do without.
  explicit Symbolizer(std::string program) : program_(std::move(program)) {}

  // A line for each loaded segment: begin end load-base executable path (session.h).
  // Called again with longer text when modules were added.
  void setModules(absl::string_view text);

  // Frames of one address, innermost first: more than one where code was inlined.
  Stack symbolize(uint64_t pc);
  // The global variable at an address. False: there is none.
  bool global(uint64_t address, GlobalName* result);

 private:
  struct Segment {
    uint64_t begin, end, base;
    std::string path;
  };
  const Segment* segmentOf(uint64_t address) const;
  __sanitizer::LLVMSymbolizer* tool();

  std::string program_;
  __sanitizer::LLVMSymbolizer* tool_ = nullptr;
  std::vector<Segment> segments_;
  size_t modulesLength_ = 0;
};

}  // namespace predrace

#endif  // PREDRACE_REPORT_SYMBOLIZE_H
