// Starred: in which sections a variable was accessed, for rule (a): Raptor's elements m_*^j.
//
// The paper keeps m_*^j in HB(x^h) and asks all x^h that are left. But Algorithm 6 removes x^h
// once it is ordered before x^(h+1), and Algorithm 8 resets x_T^i at every read, and with them
// goes rule (a) for their sections, although no other access of the variable may have been in
// one. So this table outlives the locksets. The latest section of each lock, thread and kind of
// access is enough: rule (a) asks for the greatest j. Not thread-safe.
#ifndef PREDRACE_ENGINES_RAPTOR_STARRED_H
#define PREDRACE_ENGINES_RAPTOR_STARRED_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/container/btree_map.h"
#include "runtime/engines/cp_variables.h"
#include "runtime/engines/raptor_locksets.h"

namespace predrace::raptor {

class Starred {
 public:
  // The greatest j of a section m^j with an access by another thread that rule (a) counts as
  // conflicting with one of this kind; 0: none. (Algorithm 2, lines 3-4)
  uint32_t latest(uint32_t lock, uint32_t thread, cp::Kind kind) const;
  void note(Section held, uint32_t thread, cp::Kind kind);

  void copyLock(uint32_t from, uint32_t to);
  void forgetLock(uint32_t lock);
  size_t memoryBytes() const { return latest_.size() * sizeof(*latest_.begin()) * 2; }

 private:
  using Indices = std::array<uint32_t, 4>;                          // by kind
  absl::btree_map<std::pair<uint32_t, uint32_t>, Indices> latest_;  // lock, thread
};

}  // namespace predrace::raptor

#endif  // PREDRACE_ENGINES_RAPTOR_STARRED_H
