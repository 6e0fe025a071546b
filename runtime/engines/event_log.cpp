#include "runtime/engines/event_log.h"

#include <algorithm>

namespace predrace {

void EventLog::extend(uint64_t index) {
  if (!parts_.empty()) {
    parts_.back().count = used_;
    closed_ += used_;
  }
  parts_.push_back({std::make_shared_for_overwrite<LogChunk>(), 0});
  last_ = parts_.back().chunk.get();
  last_->firstIndex = nextIndex_ = index;
  used_ = 0;
}

void EventLog::control(LogEntry::Kind kind, uint32_t target, uint32_t site) {
  if (last_ == nullptr) return;  // about numbers that no event was about
  if (used_ == chunkEntries_) extend(nextIndex_);
  last_->entries[used_++] = {static_cast<uint32_t>(kind) << 24, target, site};
}

void EventLog::racing(uint64_t first, uint64_t second) {
  auto near = [](uint64_t distance) { return static_cast<uint32_t>(std::min<uint64_t>(distance, ~0u)); };
  control(LogEntry::kRacing, near(nextIndex_ - 1 - second), near(second - first));
}

LogWindow EventLog::window() const {
  LogWindow w;
  w.held = held_;
  w.alive = alive_;
  for (const Part& p : parts_) w.parts.push_back({p.chunk, p.count});
  if (!parts_.empty()) {
    w.parts.back().count = used_;
    w.firstIndex = parts_.front().chunk->firstIndex;
  }
  return w;
}

void EventLog::keepLast(uint64_t entries) {
  while (parts_.size() > 1 && size() - parts_.front().count >= entries) {
    const Part& oldest = parts_.front();
    pass(*oldest.chunk, oldest.count);
    closed_ -= oldest.count;
    parts_.pop_front();
  }
}

// Who holds which lock, and who is there, after these entries.
void EventLog::pass(const LogChunk& chunk, uint32_t count) {
  for (const LogEntry& e : std::span(chunk.entries, count)) {
    if (!e.isEvent() && e.kind() != LogEntry::kForgetLock) continue;
    if (e.kind() == LogEntry::kForgetLock) {
      std::erase_if(held_, [&](const HeldLock& h) { return h.lock == e.target; });
      continue;
    }
    alive_.isAlone(e.thread());
    switch (e.op()) {
      case Op::Fork:
        alive_.fork(e.target);
        break;
      case Op::Join:
        alive_.join(e.target);
        break;
      case Op::Acquire:
      case Op::SharedAcquire:
        held_.push_back({e.thread(), e.target, e.op() == Op::SharedAcquire});
        break;
      case Op::Release:
      case Op::SharedRelease: {
        bool shared = e.op() == Op::SharedRelease;
        auto at = std::ranges::find_if(held_, [&](const HeldLock& h) {
          return h.thread == e.thread() && h.lock == e.target && h.shared == shared;
        });
        if (at != held_.end()) held_.erase(at);
        break;
      }
      default:
        break;
    }
  }
}

}  // namespace predrace
