#include "runtime/engines/vector_clock.h"

#include <cstdlib>
#include <new>

namespace predrace {

BlockPool::~BlockPool() {
  for (void* chunk : chunks_) std::free(chunk);
}

// Small classes are cut from chunks that grow with the pool, so that a short run
// stays small and a long one rarely asks the system.
void* BlockPool::refill(uint32_t cls) {
  if (cls >= kClasses) throw std::bad_alloc();
  size_t block = bytesOf(cls);
  size_t want = bytes_ / 4;
  if (want > (size_t{1} << 20)) want = size_t{1} << 20;
  size_t count = want > 8 * block ? want / block : 8;
  if (block >= (size_t{1} << 16)) count = 1;
  void* chunk = std::aligned_alloc(64, count * block);
  if (!chunk) throw std::bad_alloc();
  chunks_.push_back(chunk);
  bytes_ += count * block;
  char* p = static_cast<char*>(chunk);
  for (size_t i = 1; i < count; ++i) {
    auto* f = reinterpret_cast<Free*>(p + i * block);
    f->next = free_[cls];
    free_[cls] = f;
  }
  return p;
}

}  // namespace predrace
