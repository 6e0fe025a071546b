#include "runtime/engines/raptor_locksets.h"

#include <algorithm>

namespace predrace::raptor {

bool Locksets::ccp(Element e) const {
  auto first = ccp_.lower_bound({e, 0});
  return first != ccp_.end() && first->first.first == e;
}

uint32_t Locksets::hbSection(uint32_t m) const {
  auto found = hb_.find(lock(m));
  return found == hb_.end() ? 0 : found->second;
}

std::vector<Section> Locksets::conditionsOf(Element e) const {
  std::vector<Section> out;
  for (auto it = ccp_.lower_bound({e, 0}); it != ccp_.end() && it->first.first == e; ++it)
    out.push_back({it->first.second, it->second});
  return out;
}

void Locksets::addCp(Element e) {
  if (!cp_.insert(e).second) return;
  auto first = ccp_.lower_bound({e, 0}), last = first;
  while (last != ccp_.end() && last->first.first == e) ++last;
  ccp_.erase(first, last);
}

bool Locksets::addCcp(Element e, Section n) {
  if (cp(e)) return false;
  auto [it, fresh] = ccp_.try_emplace({e, n.lock}, n.index);
  if (!fresh && it->second <= n.index) return false;  // Algorithm 3, line 8: no effect
  it->second = n.index;
  return true;
}

void Locksets::transfer(Element from, Element to) {
  if (!hb(from)) return;
  addHb(to, 0);
  if (cp(from)) return addCp(to);
  for (Section n : conditionsOf(from)) addCcp(to, n);
}

void Locksets::transferHard(Element from, Element to) {
  if (!hb(from)) return;
  addHb(to, 0);
  addCp(to);
}

void Locksets::erase(Element e) {
  hb_.erase(e);
  cp_.erase(e);
  for (Section n : conditionsOf(e)) ccp_.erase({e, n.lock});
}

void Locksets::acquire(uint32_t m, uint32_t t) {
  uint32_t j = hbSection(m);
  if (!j) return;
  transfer(lock(m), thread(t));      // lines 3-9, 11
  addCcp(thread(t), Section{m, j});  // line 13
}

bool Locksets::preRelease(uint32_t m, const Offer& offer) {
  std::vector<std::pair<Element, uint32_t>> waiting;  // sigma : m^j
  for (const auto& [key, j] : ccp_)
    if (key.second == m) waiting.emplace_back(key.first, j);
  bool changed = false;
  for (auto [sigma, j] : waiting) {
    if (offer.reached >= j) {  // line 4
      changed |= !cp(sigma);
      addCp(sigma);
      continue;
    }
    for (const Offer::Condition& c : offer.conditions)  // line 7
      if (c.l >= j) changed |= addCcp(sigma, c.section);
  }
  return changed;
}

void Locksets::offer(uint32_t l, uint32_t t, Offer& offer) const {
  if (cp(thread(t))) offer.reached = std::max(offer.reached, l);
  for (Section n : conditionsOf(thread(t))) offer.conditions.push_back({l, n});
}

void Locksets::release(Section m, uint32_t t) {
  for (auto it = ccp_.begin(); it != ccp_.end();)  // line 14
    it = it->first.second == m.lock ? ccp_.erase(it) : std::next(it);
  if (!hb(thread(t))) return;
  addHb(lock(m.lock), m.index);       // line 10; no effect if there is an earlier section
  transfer(thread(t), lock(m.lock));  // lines 3-8
}

void Locksets::copyLock(uint32_t from, uint32_t to) {
  uint32_t j = hbSection(from);
  if (!j) return;
  addHb(lock(to), j);
  transfer(lock(from), lock(to));
}

size_t Locksets::memoryBytes() const {
  // Trees of nodes that are half full or more, and not smaller than kNode.
  constexpr size_t kNode = 64;
  auto tree = [](const auto& t) { return t.empty() ? 0 : kNode + 2 * t.size() * sizeof(*t.begin()); };
  return sizeof(*this) + tree(hb_) + tree(cp_) + tree(ccp_);
}

}  // namespace predrace::raptor
