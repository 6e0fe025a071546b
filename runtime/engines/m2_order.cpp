#include "runtime/engines/m2_order.h"

#include <algorithm>

namespace predrace::m2 {

uint32_t ChainOrder::Staircase::target(uint32_t from) const {
  auto step = std::ranges::lower_bound(steps_, from, {}, &Step::from);
  return step == steps_.end() ? kNone : step->to;
}

uint32_t ChainOrder::Staircase::sources(uint32_t to) const {
  auto step = std::ranges::upper_bound(steps_, to, {}, &Step::to);
  return step == steps_.begin() ? 0 : (step - 1)->from + 1;
}

uint32_t ChainOrder::Staircase::add(uint32_t from, uint32_t to) {
  auto end = std::ranges::lower_bound(steps_, from, {}, &Step::from);
  if (end != steps_.end() && end->to <= to) return kNone;
  uint32_t since = sources(to);
  if (end != steps_.end() && end->from == from) ++end;
  auto begin = end;  // of the steps that say less than the new one
  while (begin != steps_.begin() && (begin - 1)->to >= to) --begin;
  if (begin == end) {
    steps_.insert(begin, {from, to});
  } else {
    *begin = {from, to};
    steps_.erase(begin + 1, end);
  }
  return since;
}

void ChainOrder::reset(uint32_t chains) {
  chains_ = chains;
  if (size_t pairs = size_t{chains} * chains; steps_.size() < pairs) steps_.resize(pairs);
  for (Staircase& s : steps_) s.clear();
}

bool ChainOrder::insert(Node a, Node b, std::vector<Added>& added) {
  if (a.chain == b.chain) return a.place < b.place;
  if (before(b, a)) return false;
  if (before(a, b)) return true;
  for (uint32_t c = 0; c < chains_; ++c) {
    uint32_t count = c == a.chain ? a.place + 1 : countBefore(a, c);
    // If the chain's last node above a is above b already, so is all that is above b.
    if (count > 0 && !before({c, count - 1}, b)) addBelow({c, count - 1}, b, added);
  }
  return true;
}

// `top` comes before b and all that is after b.
void ChainOrder::addBelow(Node top, Node b, std::vector<Added>& added) {
  for (uint32_t d = 0; d < chains_; ++d) {
    if (d == top.chain) continue;
    uint32_t place = d == b.chain ? b.place : firstAfter(b, d);
    if (place == kNone) continue;
    uint32_t since = steps_[size_t{top.chain} * chains_ + d].add(top.place, place);
    if (since != kNone) added.push_back({top, {d, place}, since});
  }
}

}  // namespace predrace::m2
