#include "runtime/engines/lockset.h"

#include <algorithm>
#include <iterator>

#include "absl/container/inlined_vector.h"
#include "absl/hash/hash.h"

namespace predrace {
namespace {

using Members = absl::InlinedVector<uint32_t, 16>;

uint64_t stepKey(uint32_t id, uint32_t member) { return uint64_t{id} << 32 | member; }

}  // namespace

Locksets::Locksets() : begins_{0} { of({}); }

std::span<const uint32_t> Locksets::locks(uint32_t id) const {
  return {members_.data() + begins_[id], members_.data() + begins_[id + 1]};
}

uint32_t Locksets::with(uint32_t id, uint32_t lock, bool shared) {
  uint32_t member = lock << 1 | static_cast<uint32_t>(shared);
  auto old = locks(id);
  auto at = std::lower_bound(old.begin(), old.end(), member);
  if (at != old.end() && *at == member) return id;
  auto [step, fresh] = steps_.try_emplace(stepKey(id, member), 0);
  if (!fresh) return step->second;
  Members members(old.begin(), old.end());
  members.insert(members.begin() + (at - old.begin()), member);
  uint32_t to = of(members);
  steps_[stepKey(id, member)] = to;
  return to;
}

uint32_t Locksets::without(uint32_t id, uint32_t lock, bool shared) {
  uint32_t member = lock << 1 | static_cast<uint32_t>(shared);
  auto old = locks(id);
  auto at = std::lower_bound(old.begin(), old.end(), member);
  if (at == old.end() || *at != member) return id;
  auto [step, fresh] = steps_.try_emplace(stepKey(id, member), 0);
  if (!fresh) return step->second;
  Members members(old.begin(), old.end());
  members.erase(members.begin() + (at - old.begin()));
  uint32_t to = of(members);
  steps_[stepKey(id, member)] = to;
  return to;
}

uint32_t Locksets::of(std::span<const uint32_t> members) {
  std::vector<uint32_t>& same = byHash_[absl::HashOf(absl::MakeConstSpan(members.data(), members.size()))];
  for (uint32_t id : same)
    if (std::ranges::equal(locks(id), members)) return id;
  uint32_t id = static_cast<uint32_t>(begins_.size() - 1);
  members_.insert(members_.end(), members.begin(), members.end());
  begins_.push_back(static_cast<uint32_t>(members_.size()));
  same.push_back(id);
  return id;
}

uint32_t Locksets::common(uint32_t a, uint32_t b) {
  Members members;
  std::ranges::set_intersection(locks(a), locks(b), std::back_inserter(members));
  return of(members);
}

size_t Locksets::memoryBytes() const {
  return members_.capacity() * 4 + begins_.capacity() * 4 + steps_.capacity() * 17 + byHash_.capacity() * 33 +
         begins_.size() * 16;
}

}  // namespace predrace
