// ChunkedPairs: two growing arrays indexed by the same dense numbers, whose elements i lie side by
// side: one page has both, so that the processor looks for one only. The second array's elements
// have room only in chunks where one was ever asked for.
//
// A chunk is made when one of its elements is first touched. Making room for second elements moves
// the first ones of the chunk. Not thread-safe.
#ifndef PREDRACE_ENGINES_CHUNKED_PAIRS_H
#define PREDRACE_ENGINES_CHUNKED_PAIRS_H

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <type_traits>
#include <vector>

namespace predrace {

template <class First, class Second, uint32_t kShift>
class ChunkedPairs {
 public:
  static constexpr uint32_t kChunk = 1u << kShift;
  struct Pair {
    First first;
    Second second;
  };
  static_assert(sizeof(First) == 64 && sizeof(Second) == 64, "a cache line each");
  static_assert(std::is_trivially_copyable_v<First> && std::is_trivially_destructible_v<First>);
  static_assert(std::is_trivially_copyable_v<Second> && std::is_trivially_destructible_v<Second>);

  ChunkedPairs() = default;
  ChunkedPairs(const ChunkedPairs&) = delete;
  ChunkedPairs& operator=(const ChunkedPairs&) = delete;
  ~ChunkedPairs() {
    for (size_t c = 0; c < chunks_.size(); ++c) drop(c);
  }

  First& first(uint32_t i) {
    if (First* f = findFirst(i)) [[likely]]
      return *f;
    return make(i >> kShift, false), *findFirst(i);
  }
  // May move other first elements.
  Pair& pair(uint32_t i) {
    uint32_t c = i >> kShift;
    if (c >= chunks_.size() || !(chunks_[c] & kPairs)) [[unlikely]]
      make(c, true);
    return pairs(c)[i & (kChunk - 1)];
  }
  // Null if nothing near it was ever touched.
  First* findFirst(uint32_t i) {
    uint32_t c = i >> kShift;
    return c < chunks_.size() && chunks_[c] ? at(chunks_[c], i) : nullptr;
  }
  Second* findSecond(uint32_t i) {
    uint32_t c = i >> kShift;
    return c < chunks_.size() && (chunks_[c] & kPairs) ? &pairs(c)[i & (kChunk - 1)].second : nullptr;
  }
  // The elements will be used soon.
  void prefetch(uint32_t i) {
    uint32_t c = i >> kShift;
    if (c >= chunks_.size() || !chunks_[c]) return;
    First* f = at(chunks_[c], i);
    __builtin_prefetch(f, 1);
    __builtin_prefetch(f + (chunks_[c] & kPairs), 1);  // the same again, if it has no second
  }

  size_t chunks() const { return chunks_.size(); }
  bool has(size_t c) const { return chunks_[c] != 0; }
  void drop(size_t c) {
    std::free(reinterpret_cast<void*>(chunks_[c] & ~kPairs));
    bytes_ -= bytesOf(chunks_[c]);
    chunks_[c] = 0;
  }
  size_t memoryBytes() const { return bytes_ + chunks_.capacity() * sizeof(uintptr_t); }

 private:
  // A chunk: its address, with kPairs if it has second elements too. 0: not made.
  static constexpr uintptr_t kPairs = 1;

  static size_t bytesOf(uintptr_t chunk) {
    return chunk ? kChunk * (chunk & kPairs ? sizeof(Pair) : sizeof(First)) : 0;
  }
  static First* at(uintptr_t chunk, uint32_t i) {
    uintptr_t pairs = chunk & kPairs;
    return reinterpret_cast<First*>(chunk - pairs) + (uintptr_t{i & (kChunk - 1)} << pairs);
  }
  Pair* pairs(size_t c) { return reinterpret_cast<Pair*>(chunks_[c] - kPairs); }

  [[gnu::noinline]] void make(size_t c, bool both) {
    if (c >= chunks_.size()) chunks_.resize(c + 1, 0);
    uintptr_t old = chunks_[c];
    void* room = std::aligned_alloc(64, kChunk * (both ? sizeof(Pair) : sizeof(First)));
    if (!room) throw std::bad_alloc();
    uintptr_t made = reinterpret_cast<uintptr_t>(room) | (both ? kPairs : 0);
    for (uint32_t i = 0; i < kChunk; ++i) {
      First* f = new (at(made, i)) First(old ? *at(old, i) : First());
      if (both) new (f + 1) Second();
    }
    drop(c);
    chunks_[c] = made;
    bytes_ += bytesOf(made);
  }

  std::vector<uintptr_t> chunks_;
  size_t bytes_ = 0;
};

}  // namespace predrace

#endif  // PREDRACE_ENGINES_CHUNKED_PAIRS_H
