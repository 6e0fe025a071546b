// Unknown: a critical section m^k whose J(m,k) was not known at its acquire.
//
// J(m,k) is the greatest j < k with acq(m)^j CP rel(m)^k; then rel(m)^J CP acq(m)^k,
// so whoever knows of acq(m)^k knows the clock H(rel(m)^J), `given`. While J can still
// grow, clocks carry the set of unknowns they depend on, and add what those give
// when it is known: resolution is retroactive.
//
// Counted references, not thread-safe. Sets and their members may refer to each other
// in circles (dependencies through nesting); deciding a section breaks its circle.
#ifndef PREDRACE_ENGINES_CP_UNKNOWN_H
#define PREDRACE_ENGINES_CP_UNKNOWN_H

#include <cstdint>
#include <new>
#include <span>
#include <utility>

#include "runtime/engines/vector_clock.h"

namespace predrace::cp {

using Epoch = uint32_t;
using Clock = VectorClock<Epoch>;
using Moment = Stamp<Epoch>;

struct Unknown;

// At most one unknown of each lock (the latest: J grows with k), in the order of locks.
// Shared until changed.
class UnknownSet {
 public:
  UnknownSet() = default;
  UnknownSet(const UnknownSet& o) : block_(o.block_) {
    if (block_) ++block_->refs;
  }
  UnknownSet(UnknownSet&& o) noexcept : block_(std::exchange(o.block_, nullptr)) {}
  UnknownSet& operator=(const UnknownSet& o) {
    if (o.block_) ++o.block_->refs;
    drop();
    block_ = o.block_;
    return *this;
  }
  UnknownSet& operator=(UnknownSet&& o) noexcept {
    std::swap(block_, o.block_);
    return *this;
  }
  ~UnknownSet() { drop(); }

  bool empty() const { return !block_; }
  uint32_t size() const { return block_ ? block_->size : 0; }
  Unknown* const* begin() const { return block_ ? block_->items() : nullptr; }
  Unknown* const* end() const { return block_ ? block_->items() + block_->size : nullptr; }
  bool shares(const UnknownSet& o) const { return block_ == o.block_; }
  void clear() {
    drop();
    block_ = nullptr;
  }

  // Adds u, or puts it in the place of an earlier section of its lock.
  void put(BlockPool& pool, Unknown* u);
  template <class Predicate>
  void eraseIf(BlockPool& pool, Predicate gone);

 private:
  struct Block {
    uint32_t refs, size, cls;
    BlockPool* pool;
    Unknown** items() { return reinterpret_cast<Unknown**>(this + 1); }
    uint32_t room() const {
      return static_cast<uint32_t>((BlockPool::bytesOf(cls) - sizeof(Block)) / sizeof(Unknown*));
    }
  };

  void drop() {
    if (block_ && --block_->refs == 0) destroy();
  }
  void destroy();
  void own(BlockPool& pool, uint32_t room);

  Block* block_ = nullptr;
};

struct Unknown {
  uint32_t refs = 0;
  uint32_t lock;
  uint32_t k;
  uint32_t J;           // at least this; exactly, if final
  Moment given;         // H(rel(m)^J), if there is a J
  uint32_t beforeLane;  // rel(m)^{k-1}: whoever knows it CP-before learns nothing from us
  Epoch beforeOwn;
  uint32_t place = 0;  // open: its slot; closed: its group
  bool open = true;    // not released yet
  bool final = false;
  UnknownSet needs;  // D: unknowns that rel(m)^k depends on

  bool exhausted(const Clock& c) const { return beforeOwn <= c[beforeLane]; }
};
static_assert(sizeof(Unknown) <= 64, "one block of the pool");

inline void hold(Unknown* u) { ++u->refs; }
inline void release(BlockPool& pool, Unknown* u) {
  if (--u->refs) return;
  u->~Unknown();
  pool.give(u, BlockPool::classOf(sizeof(Unknown)));
}

// A counted reference that knows its pool from the outside: cleared by hand.
class UnknownRef {
 public:
  UnknownRef() = default;
  UnknownRef(const UnknownRef&) = delete;
  UnknownRef& operator=(const UnknownRef&) = delete;
  UnknownRef(UnknownRef&& o) noexcept : u_(std::exchange(o.u_, nullptr)) {}
  UnknownRef& operator=(UnknownRef&& o) noexcept {
    std::swap(u_, o.u_);
    return *this;
  }
  void set(BlockPool& pool, Unknown* u) {
    if (u) hold(u);
    if (u_) release(pool, u_);
    u_ = u;
  }
  Unknown* get() const { return u_; }
  Unknown* operator->() const { return u_; }
  explicit operator bool() const { return u_; }

 private:
  Unknown* u_ = nullptr;
};

inline void UnknownSet::destroy() {
  BlockPool& pool = *block_->pool;
  for (uint32_t i = 0; i < block_->size; ++i) release(pool, block_->items()[i]);
  pool.give(block_, block_->cls);
}

inline void UnknownSet::own(BlockPool& pool, uint32_t room) {
  if (block_ && block_->refs == 1 && block_->room() >= room) return;
  if (room < size()) room = size();
  uint32_t cls = BlockPool::classOf(sizeof(Block) + room * sizeof(Unknown*));
  Block* b = new (pool.take(cls)) Block{1, size(), cls, &pool};
  for (uint32_t i = 0; i < b->size; ++i) hold(b->items()[i] = block_->items()[i]);
  drop();
  block_ = b;
}

inline void UnknownSet::put(BlockPool& pool, Unknown* u) {
  uint32_t at = 0;
  while (at < size() && block_->items()[at]->lock < u->lock) ++at;
  bool replace = at < size() && block_->items()[at]->lock == u->lock;
  if (replace && block_->items()[at]->k >= u->k) return;
  own(pool, size() + !replace);
  hold(u);
  Unknown** items = block_->items();
  if (replace) {
    release(pool, items[at]);
  } else {
    for (uint32_t i = block_->size++; i > at; --i) items[i] = items[i - 1];
  }
  items[at] = u;
}

template <class Predicate>
void UnknownSet::eraseIf(BlockPool& pool, Predicate gone) {
  uint32_t i = 0;
  while (i < size() && !gone(block_->items()[i])) ++i;
  if (i == size()) return;
  own(pool, size());
  Unknown** items = block_->items();
  uint32_t kept = i;
  for (; i < block_->size; ++i) {
    if (gone(items[i]))
      release(pool, items[i]);
    else
      items[kept++] = items[i];
  }
  block_->size = kept;
  if (!kept) clear();
}

}  // namespace predrace::cp

#endif  // PREDRACE_ENGINES_CP_UNKNOWN_H
