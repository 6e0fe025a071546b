// Locksets: interned sets of the locks that a thread holds, each exclusive or shared.
//
// Id 0 is the empty set; equal sets have equal ids; ids are never reused, so they
// can be kept in shadow state and looked up when a report is made. Not thread-safe.
#ifndef PREDRACE_ENGINES_LOCKSET_H
#define PREDRACE_ENGINES_LOCKSET_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/container/flat_hash_map.h"

namespace predrace {

class Locksets {
 public:
  static constexpr uint32_t kEmpty = 0;

  Locksets();

  // The members in increasing order, as `lock << 1 | shared`: see lockOf, isShared.
  // Valid until the next call of with() or without().
  std::span<const uint32_t> locks(uint32_t id) const;
  static constexpr uint32_t lockOf(uint32_t member) { return member >> 1; }
  static constexpr bool isShared(uint32_t member) { return member & 1; }

  // The set with one member more or less. REQUIRES: lock < 2^31.
  uint32_t with(uint32_t id, uint32_t lock, bool shared);
  uint32_t without(uint32_t id, uint32_t lock, bool shared);

  // The set of these members. REQUIRES: increasing, and not part of this object.
  uint32_t of(std::span<const uint32_t> members);
  // The members that both have.
  uint32_t common(uint32_t a, uint32_t b);

  size_t size() const { return begins_.size() - 1; }
  size_t memoryBytes() const;

 private:
  std::vector<uint32_t> members_;  // of set i: [begins_[i], begins_[i + 1])
  std::vector<uint32_t> begins_;
  absl::flat_hash_map<uint64_t, uint32_t> steps_;  // (set, member) -> set with the member toggled
  absl::flat_hash_map<uint64_t, std::vector<uint32_t>> byHash_;  // hash of the members -> sets
};

}  // namespace predrace

#endif  // PREDRACE_ENGINES_LOCKSET_H
