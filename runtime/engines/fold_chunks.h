// foldChunks: gives up the variables that were not used for longest, a chunk at a time.
#ifndef PREDRACE_ENGINES_FOLD_CHUNKS_H
#define PREDRACE_ENGINES_FOLD_CHUNKS_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "runtime/engines/chunked.h"

namespace predrace {

// lastUse(v): index of v's latest event, 0 if there is none. drop(c) forgets the variables of
// chunk c, and says how many accesses that was; called until enough() or none is left.
template <class T, uint32_t kShift, class LastUse, class Drop, class Enough>
uint64_t foldChunks(Chunked<T, kShift>& variables, LastUse lastUse, Drop drop, Enough enough) {
  std::vector<std::pair<uint64_t, size_t>> byUse;
  for (size_t c = 0; c < variables.chunks(); ++c) {
    const T* chunk = variables.chunk(c);
    if (!chunk) continue;
    uint64_t latest = 0;
    for (uint32_t i = 0; i < variables.kChunk; ++i) latest = std::max<uint64_t>(latest, lastUse(chunk[i]));
    byUse.emplace_back(latest, c);
  }
  std::ranges::sort(byUse);
  uint64_t folded = 0;
  for (auto [latest, c] : byUse) {
    if (enough()) break;
    folded += drop(c);
  }
  return folded;
}

}  // namespace predrace

#endif  // PREDRACE_ENGINES_FOLD_CHUNKS_H
