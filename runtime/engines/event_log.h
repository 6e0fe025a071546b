// EventLog: the last events of a run, twelve bytes each.
//
// Kept as the engine heard them, in chunks that are never changed again but at their end: a
// window of the log can be read by another thread while the log goes on. What the engine was told
// about numbers (splits, ended lives) stands between the events, and so does what it found
// to be a data race.
//
// Not thread-safe; a LogWindow once taken is nobody else's.
#ifndef PREDRACE_ENGINES_EVENT_LOG_H
#define PREDRACE_ENGINES_EVENT_LOG_H

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "runtime/engines/alive_threads.h"
#include "runtime/engines/engine.h"

namespace predrace {

// One entry of a log.
struct LogEntry {
  // Ops, and after them what is no event.
  enum Kind : uint8_t {
    kSplit = static_cast<int>(Op::Inner) + 1,  // target, and site: the other number
    kForgetVariable,
    kForgetLock,
    kForgetChannel,
    kForgetObject,
    kRacing,  // the event `target` before the last one races with the one `site` before itself
  };
  static constexpr uint32_t kMaxThread = 1u << 24;

  uint32_t head;  // kind << 24 | thread
  uint32_t target, site;

  uint8_t kind() const { return static_cast<uint8_t>(head >> 24); }
  bool isEvent() const { return kind() < kSplit; }
  Op op() const { return static_cast<Op>(kind()); }
  uint32_t thread() const { return head & (kMaxThread - 1); }
};
static_assert(sizeof(LogEntry) == 12);

struct LogChunk {
  static constexpr uint32_t kEntries = 1 << 16;
  uint64_t firstIndex = 0;  // of its first event; the others follow one by one
  LogEntry entries[kEntries];
};

// A lock that a thread is in a section of.
struct HeldLock {
  uint32_t thread, lock;
  bool shared;
};

// A part of the log up to its end at one moment.
struct LogWindow {
  struct Part {
    std::shared_ptr<const LogChunk> chunk;
    uint32_t count = 0;
  };
  std::vector<HeldLock> held;  // at its beginning
  AliveThreads alive;          // the same
  std::vector<Part> parts;
  uint64_t firstIndex = 0;  // events with smaller ones are before the window
};

class EventLog {
 public:
  // Chunks are full with so many entries: what keepLast() drops is whole chunks.
  explicit EventLog(uint32_t chunkEntries = LogChunk::kEntries) : chunkEntries_(chunkEntries) {}

  // REQUIRES: indices grow; e.thread < LogEntry::kMaxThread.
  void on(const Event& e) {
    if (e.index != nextIndex_ || last_ == nullptr || used_ == chunkEntries_) extend(e.index);
    last_->entries[used_++] = {static_cast<uint32_t>(e.op) << 24 | e.thread, e.target, e.site};
    ++nextIndex_;
  }
  void split(uint32_t from, uint32_t to) { control(LogEntry::kSplit, from, to); }
  void forget(LogEntry::Kind kind, uint32_t number) { control(kind, number, 0); }
  // These two are a data race.
  void racing(uint64_t first, uint64_t second);

  // The index of the oldest event; those before it are gone.
  uint64_t begin() const { return parts_.empty() ? nextIndex_ : parts_.front().chunk->firstIndex; }
  // Entries, events and others.
  uint64_t size() const { return closed_ + used_; }
  LogWindow window() const;
  // Drops the oldest entries, as long as at least so many are left.
  void keepLast(uint64_t entries);
  size_t memoryBytes() const { return parts_.size() * sizeof(LogChunk); }

 private:
  void control(LogEntry::Kind kind, uint32_t target, uint32_t site);
  void extend(uint64_t index);
  void pass(const LogChunk& chunk, uint32_t count);

  struct Part {
    std::shared_ptr<LogChunk> chunk;
    uint32_t count;  // unless it is the last one
  };
  const uint32_t chunkEntries_;
  std::deque<Part> parts_;
  LogChunk* last_ = nullptr;
  uint32_t used_ = 0;           // of the last part
  uint64_t closed_ = 0;         // entries of the others
  uint64_t nextIndex_ = 0;      // of the event that would follow in the last part
  std::vector<HeldLock> held_;  // at the beginning of the first part
  AliveThreads alive_;          // the same
};

// An engine whose events are logged, before it hears them.
class Logged final : public Engine {
 public:
  // REQUIRES: both outlive it.
  Logged(Engine& engine, EventLog& log) : engine_(engine), log_(log) {}

  void on(const Event& e) override {
    log_.on(e);
    engine_.on(e);
  }
  void expect(const Event& e) override { engine_.expect(e); }
  void finish() override { engine_.finish(); }
  std::string notes() const override { return engine_.notes(); }
  void splitVariable(uint32_t from, uint32_t to) override {
    log_.split(from, to);
    engine_.splitVariable(from, to);
  }
  void forgetVariable(uint32_t v) override {
    log_.forget(LogEntry::kForgetVariable, v);
    engine_.forgetVariable(v);
  }
  void forgetChannel(uint32_t c) override {
    log_.forget(LogEntry::kForgetChannel, c);
    engine_.forgetChannel(c);
  }
  void forgetLock(uint32_t l) override {
    log_.forget(LogEntry::kForgetLock, l);
    engine_.forgetLock(l);
  }
  void forgetObject(uint32_t o) override {
    log_.forget(LogEntry::kForgetObject, o);
    engine_.forgetObject(o);
  }
  size_t memoryBytes() const override { return engine_.memoryBytes(); }
  uint64_t fold(size_t targetBytes) override { return engine_.fold(targetBytes); }

 private:
  Engine& engine_;
  EventLog& log_;
};

}  // namespace predrace

#endif  // PREDRACE_ENGINES_EVENT_LOG_H
