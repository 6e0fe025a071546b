// VectorClock: for each lane (a thread's place in the clocks) how far its events are known.
//
// A clock is a reference to a counted block; copying shares the block, writing to a
// shared one copies it first. So that releases cost no copy at all, a thread's own
// component, which changes most often, is kept beside the clock: see Stamp.
//
// Invariants:
// (1) A lane beyond the end of a block is at tick 0; a null clock is all zero.
// (2) A block with more than one reference is never written.
// (3) Blocks come from their pool's free lists and outlive no pool: destroy clocks first.
//
// Not thread-safe, counts included.
#ifndef PREDRACE_ENGINES_VECTOR_CLOCK_H
#define PREDRACE_ENGINES_VECTOR_CLOCK_H

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace predrace {

// Free lists of blocks of 64, 128, 256, ... bytes.
class BlockPool {
 public:
  BlockPool() = default;
  ~BlockPool();
  BlockPool(const BlockPool&) = delete;
  BlockPool& operator=(const BlockPool&) = delete;

  // The smallest block class that has at least `bytes`; a class has 64 << class bytes.
  static constexpr uint32_t classOf(size_t bytes) {
    return bytes <= 64 ? 0 : static_cast<uint32_t>(std::bit_width((bytes - 1) >> 6));
  }
  static constexpr size_t bytesOf(uint32_t cls) { return size_t{64} << cls; }

  // Contents are undefined.
  void* take(uint32_t cls) {
    used_ += bytesOf(cls);
    if (cls < kClasses && free_[cls]) {
      Free* f = free_[cls];
      free_[cls] = f->next;
      return f;
    }
    return refill(cls);
  }
  void give(void* block, uint32_t cls) {
    used_ -= bytesOf(cls);
    Free* f = static_cast<Free*>(block);
    f->next = free_[cls];
    free_[cls] = f;
  }

  // In blocks that are taken; given ones are kept for the next.
  size_t memoryBytes() const { return used_; }

 private:
  static constexpr uint32_t kClasses = 26;
  struct Free {
    Free* next;
  };

  void* refill(uint32_t cls);

  Free* free_[kClasses] = {};
  std::vector<void*> chunks_;
  size_t bytes_ = 0, used_ = 0;
};

template <class Tick>
class VectorClock {
 public:
  VectorClock() = default;
  VectorClock(const VectorClock& o) : block_(o.block_) {
    if (block_) ++block_->refs;
  }
  VectorClock(VectorClock&& o) noexcept : block_(std::exchange(o.block_, nullptr)) {}
  VectorClock& operator=(const VectorClock& o) {
    if (o.block_) ++o.block_->refs;
    drop();
    block_ = o.block_;
    return *this;
  }
  VectorClock& operator=(VectorClock&& o) noexcept {
    std::swap(block_, o.block_);
    return *this;
  }
  ~VectorClock() { drop(); }

  Tick operator[](uint32_t lane) const { return block_ && lane < block_->size ? block_->ticks()[lane] : 0; }
  uint32_t size() const { return block_ ? block_->size : 0; }
  bool shares(const VectorClock& o) const { return block_ == o.block_; }
  // It will be written or dropped soon.
  void prefetch() const { __builtin_prefetch(block_, 1); }
  void clear() {
    drop();
    block_ = nullptr;
  }

  // Raises one component. Lower or equal ticks change nothing.
  void raise(BlockPool& pool, uint32_t lane, Tick tick) {
    if ((*this)[lane] >= tick) return;
    own(pool, lane + 1);
    block_->ticks()[lane] = tick;
  }

  // Component-wise maximum.
  void join(BlockPool& pool, const VectorClock& o) {
    if (!o.block_ || o.block_ == block_) return;
    if (!block_) {
      *this = o;
      return;
    }
    own(pool, o.block_->size);
    Tick* mine = block_->ticks();
    const Tick* theirs = o.block_->ticks();
    for (uint32_t i = 0, n = o.block_->size; i < n; ++i) mine[i] = mine[i] < theirs[i] ? theirs[i] : mine[i];
  }

  // Is every component of o at most ours?
  bool covers(const VectorClock& o) const {
    for (uint32_t i = 0; i < o.size(); ++i)
      if (o.block_->ticks()[i] > (*this)[i]) return false;
    return true;
  }

 private:
  struct alignas(16) Block {
    uint32_t refs;
    uint32_t size;  // ticks: all of the block's class
    BlockPool* pool;
    Tick* ticks() { return reinterpret_cast<Tick*>(this + 1); }
    uint32_t cls() const { return BlockPool::classOf(sizeof(Block) + size * sizeof(Tick)); }
  };
  static_assert(sizeof(Block) == 16);

  void drop() {
    if (block_ && --block_->refs == 0) block_->pool->give(block_, block_->cls());
  }

  // Makes the block ours alone, with room for `lanes`.
  void own(BlockPool& pool, uint32_t lanes) {
    if (block_ && block_->refs == 1 && block_->size >= lanes) return;
    replace(pool, lanes);
  }
  void replace(BlockPool& pool, uint32_t lanes) {
    uint32_t want = lanes < size() ? size() : lanes;
    uint32_t cls = BlockPool::classOf(sizeof(Block) + want * sizeof(Tick));
    Block* b = static_cast<Block*>(pool.take(cls));
    b->refs = 1;
    b->size = static_cast<uint32_t>((BlockPool::bytesOf(cls) - sizeof(Block)) / sizeof(Tick));
    b->pool = &pool;
    uint32_t have = size(), i = 0;
    for (; i < have; ++i) b->ticks()[i] = block_->ticks()[i];
    for (; i < b->size; ++i) b->ticks()[i] = 0;
    drop();
    block_ = b;
  }

  Block* block_ = nullptr;
};

// A moment of one thread: what it knows of the others, and its own tick apart.
// The clock's component of `lane` may lag behind `own`.
template <class Tick>
struct Stamp {
  VectorClock<Tick> others;
  uint32_t lane = 0;
  Tick own = 0;  // 0: no moment at all

  explicit operator bool() const { return own != 0; }
  Tick operator[](uint32_t l) const { return l == lane ? own : others[l]; }
  // Is this moment before or at what `clock` knows? O(1): clocks are closed downwards.
  bool within(const VectorClock<Tick>& clock) const { return own <= clock[lane]; }
  void joinInto(BlockPool& pool, VectorClock<Tick>& clock) const {
    clock.join(pool, others);
    clock.raise(pool, lane, own);
  }
};

}  // namespace predrace

#endif  // PREDRACE_ENGINES_VECTOR_CLOCK_H
