// The .std text of traces: RAPID's `T1|w(x)|12`, one event per line, and what C and C++
// need beyond it (racq/rrel, snd/rcv, at, ar/aw/au). test/oracle/oracle.py defines it;
// kStdDialect tells users, with all that is odd and what becomes of it.
//
// StdReader is to be as fast as reading allows (measured as a multiple of `wc -l`). A line of up to
// 64 bytes with its delimiters in the usual places whose names are all known is an event without
// any loop or search. Every other line takes the slow way, which is the only one that makes names
// and messages: where both apply they agree.
#ifndef PREDRACE_TRACE_STD_FORMAT_H
#define PREDRACE_TRACE_STD_FORMAT_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <istream>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/engines/event.h"
#include "runtime/trace/admission.h"
#include "runtime/trace/decimal.h"
#include "runtime/trace/each_machine.h"
#include "runtime/trace/input.h"
#include "runtime/trace/trace_reader.h"

namespace predrace {

extern const char kStdDialect[];

class StdReader final : public TraceReader {
 public:
  static constexpr size_t kLongestLine = 64 << 10;

  // `file` is for messages. The stream must outlive the reader.
  StdReader(std::istream& in, std::string file) : StdReader(streamInput(in), std::move(file)) {}
  StdReader(std::unique_ptr<Input> in, std::string file);

  uint64_t size() const override { return in_->size(); }

 private:
  static constexpr size_t kGroup = 64;  // of lines
  struct Line {
    const char *begin = nullptr, *end = nullptr;
    // Places in it, and a place in the table of operations. No thread: it is not a usual line.
    uint8_t bar = 0, open = 0, close = 0, targetLength = 0, siteLength = 0, op = 0;
    uint32_t thread = 0, number = 0, where = 0;  // Names::kUnknown: not known
  };

  void fill() override;
  bool readBlock();
  void parseBlock();
  PREDRACE_EACH_MACHINE void splitLines(const char* block, size_t first, size_t n);
  bool splitFast(size_t i);
  PREDRACE_EACH_MACHINE void findNames(size_t n);
  Names& familyOf(const Line& l);
  bool takeFast(size_t i);
  bool parseSlow(std::string_view line);
  bool parseEvent(std::string_view line, Event* e);
  bool fail(const std::string& reason);

  std::unique_ptr<Input> in_;
  std::string file_;
  std::unique_ptr<char[]> buffer_;        // [begin_, end_) is not parsed yet
  std::unique_ptr<uint32_t[]> newlines_;  // of the block
  size_t begin_ = 0, end_ = 0;
  std::array<Line, kGroup> lines_;
  Decimals<kGroup> threads_, targets_, sites_;  // of lines_
  bool ended_ = false;                          // nothing more to read
  uint64_t line_ = 0;
  std::array<Names*, 6> families_;  // of names_, by Family; the last has none
  Admission admission_;
};

class StdWriter final : public TraceWriter {
 public:
  explicit StdWriter(std::ostream& out) : out_(out) {}
  void write(std::string_view thread, Op op, std::string_view target, std::string_view site) override;

 private:
  std::ostream& out_;
};

}  // namespace predrace

#endif  // PREDRACE_TRACE_STD_FORMAT_H
