// Compact: events in a few bytes each, in memory: what engines are fed with when measured.
//
// An event is: a byte with the operation (low 5 bits) and whether the thread is the one of
// the event before (bit 5); the thread, unless it is; the target; the site, as the difference
// to the event before. All numbers are varints (7 bits per byte, lowest first, the highest
// bit says that more follow), differences zigzag-coded. The index is the position.
//
// Ordinary traces take about 4 bytes per event. Not a file format: there is no version and
// no check; bytes must come from an encoder of the same program.
#ifndef PREDRACE_TOOLS_ENGINE_BENCH_COMPACT_H
#define PREDRACE_TOOLS_ENGINE_BENCH_COMPACT_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/engines/event.h"

namespace predrace {

class CompactEncoder {
 public:
  // Room that is reserved and not used stays untouched, hence out of the peak memory.
  void reserve(size_t bytes) { bytes_.reserve(bytes); }
  // REQUIRES: e.index is the number of events added before.
  void add(const Event& e);
  std::span<const uint8_t> bytes() const { return bytes_; }
  uint64_t events() const { return events_; }

 private:
  void number(uint32_t n);

  std::vector<uint8_t> bytes_;
  uint64_t events_ = 0;
  uint32_t thread_ = 0, site_ = 0;  // of the last event
};

class CompactDecoder {
 public:
  explicit CompactDecoder(std::span<const uint8_t> bytes)
      : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  // As many of the next events as there are, at most out.size(): how many.
  size_t next(std::span<Event> out);

 private:
  const uint8_t *at_, *end_;
  uint64_t index_ = 0;
  uint32_t thread_ = 0, site_ = 0;
};

}  // namespace predrace

#endif  // PREDRACE_TOOLS_ENGINE_BENCH_COMPACT_H
