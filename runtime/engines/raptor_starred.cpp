#include "runtime/engines/raptor_starred.h"

#include <algorithm>
#include <vector>

namespace predrace::raptor {
namespace {

// By kind of the later access: the earlier kinds that conflict for rule (a). Unlike races, atomic
// accesses do so among themselves.
constexpr uint8_t kDepends[] = {0b1111, 0b0101, 0b1111, 0b1101};

}  // namespace

uint32_t Starred::latest(uint32_t lock, uint32_t thread, cp::Kind kind) const {
  uint32_t best = 0;
  for (auto it = latest_.lower_bound({lock, 0}); it != latest_.end() && it->first.first == lock; ++it) {
    if (it->first.second == thread) continue;
    for (uint32_t k = 0; k < 4; ++k)
      if (kDepends[kind] >> k & 1) best = std::max(best, it->second[k]);
  }
  return best;
}

void Starred::note(Section held, uint32_t thread, cp::Kind kind) {
  latest_[{held.lock, thread}][kind] = held.index;
}

void Starred::copyLock(uint32_t from, uint32_t to) {
  std::vector<std::pair<uint32_t, Indices>> copied;
  for (auto it = latest_.lower_bound({from, 0}); it != latest_.end() && it->first.first == from; ++it)
    copied.emplace_back(it->first.second, it->second);
  for (const auto& [thread, indices] : copied) latest_[{to, thread}] = indices;
}

void Starred::forgetLock(uint32_t lock) {
  latest_.erase(latest_.lower_bound({lock, 0}), latest_.lower_bound({lock + 1, 0}));
}

}  // namespace predrace::raptor
