// TraceReader, TraceWriter: what every format of traces offers. formats.h opens them.
//
// A reader streams: it holds names and who holds which lock, never the whole trace. It
// delivers what engines require: dense numbers, indices from 0 on, re-entrant sections
// flattened (admission.h), and no impossible event.
//
// Not thread-safe.
#ifndef PREDRACE_TRACE_TRACE_READER_H
#define PREDRACE_TRACE_TRACE_READER_H

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/engines/event.h"
#include "runtime/trace/names.h"

namespace predrace {

class TraceReader {
 public:
  virtual ~TraceReader() = default;

  // The next events, valid until the next call; none at the end, or if error() says why not.
  // Events before an error are still delivered.
  std::span<const Event> read() {
    batch_.clear();
    inner_.clear();
    if (error_.empty()) fill();
    taken_ = batch_.size();
    return batch_;
  }
  // The same one by one. REQUIRES: read() is not used beside it.
  bool next(Event* e) {
    if (taken_ == batch_.size() && (read(), taken_ = 0, batch_.empty())) return false;
    *e = batch_[taken_++];
    return true;
  }
  // The operation of an event of the latest batch as the file has it: never Inner.
  Op written(const Event& e) const;

  const std::string& error() const { return error_; }  // "file:line: reason"; empty if all is well
  const TraceNames& names() const { return names_; }
  uint64_t events() const { return events_; }  // read so far
  uint64_t bytes() const { return bytes_; }    // read so far
  virtual uint64_t size() const { return 0; }  // bytes in all; 0 if not known

 protected:
  // Adds at least one event, unless the trace ends, or error_ is set.
  virtual void fill() = 0;
  void add(const Event& e) { batch_.push_back(e); }

  std::vector<Event> batch_;
  std::vector<std::pair<uint64_t, Op>> inner_;  // of the batch: index, and the operation in the file
  TraceNames names_;
  std::string error_;
  uint64_t events_ = 0, bytes_ = 0;

 private:
  size_t taken_ = 0;  // of the batch, by next()
};

class TraceWriter {
 public:
  virtual ~TraceWriter() = default;
  // `target` is ignored for operations without one.
  virtual void write(std::string_view thread, Op op, std::string_view target, std::string_view site) = 0;
};

}  // namespace predrace

#endif  // PREDRACE_TRACE_TRACE_READER_H
