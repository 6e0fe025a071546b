// Chunked: a growing array indexed by dense numbers, whose elements never move.
//
// A chunk is made when one of its elements is first touched, so that large sparse
// families cost little until used. Not thread-safe.
#ifndef PREDRACE_ENGINES_CHUNKED_H
#define PREDRACE_ENGINES_CHUNKED_H

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <vector>

namespace predrace {

template <class T, uint32_t kShift>
class Chunked {
 public:
  static constexpr uint32_t kChunk = 1u << kShift;

  Chunked() = default;
  Chunked(const Chunked&) = delete;
  Chunked& operator=(const Chunked&) = delete;
  ~Chunked() {
    for (size_t c = 0; c < chunks_.size(); ++c) drop(c);
  }

  T& operator[](uint32_t i) {
    uint32_t c = i >> kShift;
    if (c < chunks_.size() && chunks_[c]) [[likely]]
      return chunks_[c][i & (kChunk - 1)];
    return make(i);
  }
  // Null if nothing near it was ever touched.
  T* find(uint32_t i) {
    uint32_t c = i >> kShift;
    return c < chunks_.size() && chunks_[c] ? &chunks_[c][i & (kChunk - 1)] : nullptr;
  }

  // The element will be used soon.
  void prefetch(uint32_t i) {
    if (const T* t = find(i)) __builtin_prefetch(t, 1);
  }

  size_t chunks() const { return chunks_.size(); }
  T* chunk(size_t c) { return chunks_[c]; }
  void drop(size_t c) {
    if (!chunks_[c]) return;
    for (uint32_t i = 0; i < kChunk; ++i) chunks_[c][i].~T();
    std::free(chunks_[c]);
    chunks_[c] = nullptr;
    bytes_ -= kChunk * sizeof(T);
  }
  // The same for the elements [c * size, (c + 1) * size): chunk c of an array with larger chunks.
  void dropRange(size_t c, uint32_t size) {
    size_t end = ((c + 1) * size) >> kShift;
    for (size_t i = (c * size) >> kShift; i < end && i < chunks_.size(); ++i) drop(i);
  }
  size_t memoryBytes() const { return bytes_ + chunks_.capacity() * sizeof(T*); }

 private:
  [[gnu::noinline]] T& make(uint32_t i) {
    uint32_t c = i >> kShift;
    if (c >= chunks_.size()) chunks_.resize(c + 1, nullptr);
    if (!chunks_[c]) {
      void* p = std::aligned_alloc(64, (kChunk * sizeof(T) + 63) & ~size_t{63});
      if (!p) throw std::bad_alloc();
      chunks_[c] = static_cast<T*>(p);
      for (uint32_t j = 0; j < kChunk; ++j) new (chunks_[c] + j) T();
      bytes_ += kChunk * sizeof(T);
    }
    return chunks_[c][i & (kChunk - 1)];
  }

  std::vector<T*> chunks_;
  size_t bytes_ = 0;
};

}  // namespace predrace

#endif  // PREDRACE_ENGINES_CHUNKED_H
