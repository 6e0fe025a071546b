// The .std text of traces: RAPID's `T1|w(x)|12`, one event per line, and what C and C++
// need beyond it (racq/rrel, snd/rcv, at, ar/aw/au). test/oracle/oracle.py defines it.
//
// StdReader streams: it holds names and who holds which lock, never events. It delivers
// what engines require: dense numbers, re-entrant sections flattened (inner ones become
// Op::Inner), and no impossible event. StdWriter writes the same text.
//
// Not thread-safe.
#ifndef PREDRACE_TRACE_STD_FORMAT_H
#define PREDRACE_TRACE_STD_FORMAT_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <istream>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/node_hash_map.h"
#include "runtime/engines/event.h"

namespace predrace {

// Names of one family, numbered from 0 in the order of their first use.
class Names {
 public:
  uint32_t numberOf(std::string_view name);
  std::string_view nameOf(uint32_t number) const { return *names_[number]; }
  uint32_t size() const { return static_cast<uint32_t>(names_.size()); }

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view s) const { return std::hash<std::string_view>()(s); }
  };
  absl::node_hash_map<std::string, uint32_t, Hash, std::equal_to<>> numbers_;
  std::vector<const std::string*> names_;  // keys of numbers_
};

struct TraceNames {
  Names threads, variables, locks, channels, objects;
  Names sites;  // the third field; number 0 is the empty one
};

class StdReader {
 public:
  // `file` is for messages.
  StdReader(std::istream& in, std::string file);

  // The next event; false at the end, or if error() says why not.
  bool next(Event* e);
  const std::string& error() const { return error_; }  // "file:line: reason"; empty if all is well
  const TraceNames& names() const { return names_; }
  uint64_t events() const { return events_; }  // so far
  Op written() const { return written_; }      // the last event's operation in the text: never Inner

 private:
  enum class Life : uint8_t { New, Forked, Running, Ended, Joined };
  struct LockState {
    uint32_t owner = ~0u;  // exclusive
    uint32_t depth = 0;
    absl::flat_hash_map<uint32_t, uint32_t> readers;  // thread -> depth
  };

  bool readLine(std::string_view* line);
  bool parse(std::string_view line, Event* e);
  bool admit(Event* e);
  bool admitLock(Event* e);
  bool fail(std::string reason);
  std::string threadName(uint32_t t) const { return std::string(names_.threads.nameOf(t)); }

  std::istream& in_;
  std::string file_, error_;
  std::string buffer_;
  size_t at_ = 0, filled_ = 0;
  uint64_t line_ = 0, events_ = 0;
  Op written_ = Op::Inner;
  TraceNames names_;
  std::vector<Life> lives_;  // by thread
  std::vector<LockState> locks_;
};

class StdWriter {
 public:
  explicit StdWriter(std::ostream& out) : out_(out) {}
  // One line; `target` is ignored for operations without one.
  void write(std::string_view thread, Op op, std::string_view target, std::string_view site);

 private:
  std::ostream& out_;
};

}  // namespace predrace

#endif  // PREDRACE_TRACE_STD_FORMAT_H
