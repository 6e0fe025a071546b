// BatchQueue: batches of events from the reader to one thread of engines. Bounded: push() waits
// for room. Thread-safe.
#ifndef PREDRACE_TOOLS_PREDRACE_BATCH_QUEUE_H
#define PREDRACE_TOOLS_PREDRACE_BATCH_QUEUE_H

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "runtime/engines/event.h"

namespace predrace {

using Batch = std::shared_ptr<const std::vector<Event>>;

class BatchQueue {
 public:
  // Null: there are no more.
  void push(Batch batch) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return batches_.size() < kRoom; });
    batches_.push_back(std::move(batch));
    changed_.notify_all();
  }
  Batch pop() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !batches_.empty(); });
    Batch batch = std::move(batches_.front());
    batches_.pop_front();
    changed_.notify_all();
    return batch;
  }

 private:
  static constexpr size_t kRoom = 16;  // a batch has some thousand events
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Batch> batches_;
};

}  // namespace predrace

#endif  // PREDRACE_TOOLS_PREDRACE_BATCH_QUEUE_H
