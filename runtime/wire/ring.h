// Ring: a thread's records on their way to the engine process.
//
// One writer (the thread that owns the ring's slot), one reader (the engine),
// in memory that both processes map. Freestanding.
//
// Invariants
//  (1) head and tail count slots since the session began; head - tail <= kRingSlots.
//  (2) A record is published whole: head moves over all its slots at once, so a
//      reader, also after the writer was killed, never sees half a record.
//  (3) The writer may keep its newest record open: an Access record that it can still
//      lengthen. It is written but not published: head + 1 == written. It is
//      published with the next record; a reader whose writer has stopped for good
//      reads up to written.
//  (4) A Range record's two slots may wrap around the end of the buffer.
#ifndef PREDRACE_WIRE_RING_H
#define PREDRACE_WIRE_RING_H

#include "record.h"

namespace predrace {

constexpr uint64_t kRingSlots = 1 << 15;  // 512 KiB: about 0.2 ms of the fastest writer

struct Ring {
  // Written by the owner thread.
  alignas(64) uint64_t head;
  uint64_t written;
  // Written by the engine. waiting is set by a writer that sleeps on tailWake.
  alignas(64) uint64_t tail;
  uint32_t tailWake;  // futex: the engine adds 1 and wakes when waiting is set
  uint32_t waiting;
  alignas(64) Slot slots[kRingSlots];
};

// The writer's end. Lives in the thread's private state; the cached tail saves
// reading the engine's cache line at every push.
class RingWriter {
 public:
  void attach(Ring* ring) {
    ring_ = ring;
    head_ = __atomic_load_n(&ring->head, __ATOMIC_RELAXED);
    open_ = false;
    tail_ = __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE);
  }
  Ring* ring() const { return ring_; }
  uint64_t head() const { return head_; }

  // Whether n more slots fit; looks at the engine's tail only when it must.
  bool fits(unsigned n) {
    if (__builtin_expect(head_ + n - tail_ <= kRingSlots, 1)) return true;
    tail_ = __atomic_load_n(&ring_->tail, __ATOMIC_ACQUIRE);
    return head_ + n - tail_ <= kRingSlots;
  }
  uint64_t used() const { return head_ - tail_; }

  // REQUIRES: fits(1), fits(2).
  void push(Slot s) {
    ring_->slots[head_ % kRingSlots] = s;
    publish(head_ + 1);
  }
  // An Access record that stays open.
  void pushOpen(Slot s) {
    ring_->slots[head_ % kRingSlots] = s;
    if (open_) __atomic_store_n(&ring_->head, head_, __ATOMIC_RELEASE);
    __atomic_store_n(&ring_->written, ++head_, __ATOMIC_RELEASE);
    open_ = true;
  }
  bool hasOpen() const { return open_; }
  // REQUIRES: hasOpen(); the record's length stays below kMaxAccessLength.
  void lengthenOpen(uint32_t bytes) {
    uint64_t* b = &ring_->slots[(head_ - 1) % kRingSlots].b;
    __atomic_store_n(b, *b + (static_cast<uint64_t>(bytes) << 32), __ATOMIC_RELAXED);
  }
  void push(Slot s, Slot more) {
    ring_->slots[head_ % kRingSlots] = s;
    ring_->slots[(head_ + 1) % kRingSlots] = more;
    publish(head_ + 2);
  }

 private:
  void publish(uint64_t head) {
    head_ = head;
    open_ = false;
    __atomic_store_n(&ring_->head, head, __ATOMIC_RELEASE);
  }
  Ring* ring_;
  uint64_t head_, tail_;  // head_ counts an open record
  bool open_;
};

// The engine's end.
class RingReader {
 public:
  explicit RingReader(Ring* ring) : ring_(ring), tail_(ring->tail), head_(ring->tail) {}

  // Slots ready to be read; refresh() looks at the writer's head.
  bool empty() const { return tail_ == head_; }
  uint64_t refresh() {
    head_ = __atomic_load_n(&ring_->head, __ATOMIC_ACQUIRE);
    return head_ - tail_;
  }
  // The same for a writer that has stopped, or whose further records do not count.
  void refreshLast() {
    refresh();
    uint64_t written = __atomic_load_n(&ring_->written, __ATOMIC_ACQUIRE);
    if (written > head_) head_ = written;
  }
  uint64_t tail() const { return tail_; }
  uint64_t head() const { return head_; }
  const Slot& peek(unsigned i = 0) const { return ring_->slots[(tail_ + i) % kRingSlots]; }
  void pop(unsigned n) { tail_ += n; }
  // Gives what was popped back to the writer. Returns true if a writer sleeps on
  // tailWake and must be woken by the caller.
  bool giveBack() {
    __atomic_store_n(&ring_->tail, tail_, __ATOMIC_SEQ_CST);
    if (!__atomic_load_n(&ring_->waiting, __ATOMIC_SEQ_CST)) return false;
    __atomic_fetch_add(&ring_->tailWake, 1, __ATOMIC_SEQ_CST);
    return true;
  }
  Ring* ring() const { return ring_; }

 private:
  Ring* ring_;
  uint64_t tail_, head_;
};

}  // namespace predrace

#endif  // PREDRACE_WIRE_RING_H
