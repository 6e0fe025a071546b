// Lives: the same number can stand for one thing after another; here each life has its own identity.
//
// Whoever makes events gives variables, locks, channels and objects dense numbers, and uses a number
// again when its history is over (Engine::forget...). Engines forget too; whoever keeps events for
// later must not mistake one life for the other. Not thread-safe.
//
// VariableLives: a variable may also turn out to be two (Engine::splitVariable), after
// events on it were kept. Its identity ends then, and its two parts are its children: an event on an
// identity is an event on each of the leaves below it.
#ifndef PREDRACE_ENGINES_LIVES_H
#define PREDRACE_ENGINES_LIVES_H

#include <cstdint>
#include <vector>

#include "runtime/engines/race.h"

namespace predrace {

class Lives {
 public:
  // The identity of the number's present life: 0, 1, ... in the order of first mention.
  uint32_t of(uint32_t number) {
    if (number >= identity_.size()) identity_.resize(number + number / 2 + 1, kNone);
    if (identity_[number] == kNone) {
      identity_[number] = count();
      numbers_.push_back(number);
    }
    return identity_[number];
  }
  void forget(uint32_t number) {
    if (number < identity_.size()) identity_[number] = kNone;
  }
  uint32_t count() const { return static_cast<uint32_t>(numbers_.size()); }
  uint32_t numberOf(uint32_t identity) const { return numbers_[identity]; }

 private:
  std::vector<uint32_t> identity_;  // by number, kNone if not alive
  std::vector<uint32_t> numbers_;   // by identity
};

class VariableLives : public Lives {
 public:
  // `from` and `to` begin new lives, as the parts of what `from` was.
  void split(uint32_t from, uint32_t to) {
    uint32_t parent = of(from);
    forget(from);
    forget(to);
    if (parent >= child_.size()) child_.resize(parent + parent / 2 + 1, kNone);
    child_[parent] = of(from);
    of(to);  // the next identity
  }
  bool isLeaf(uint32_t identity) const { return identity >= child_.size() || child_[identity] == kNone; }
  template <class Use>
  void leaves(uint32_t identity, Use&& use) const {
    for (; !isLeaf(identity); identity = child_[identity]) leaves(child_[identity] + 1, use);
    use(identity);
  }

 private:
  std::vector<uint32_t> child_;  // by identity: the part that kept the number; the other one is the next
};

}  // namespace predrace

#endif  // PREDRACE_ENGINES_LIVES_H
