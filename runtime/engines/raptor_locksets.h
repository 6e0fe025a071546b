// Locksets of one owner: what comes after its event, by which order.
//
// Raptor (Roemer & Bond, OSU-CISRC-11/16-TR05), section 5 and Figure 3. An owner rho is an access
// x^i or an acquire m^i. An element of a lockset is something whose next event is ordered after
// the owner's event:
//   PO   the owner's thread, and nothing else ever
//   HB   by happens-before; a lock m with the first section m^j whose release comes after
//   CP   by causally-precedes, known so far
//   CCP  sigma : n^k -- sigma belongs into CP if acq(n)^k CP rel(n)^j, n^j being open now
//
// Invariants (the paper's HB, HB-index, CP and CCP-constraint):
// (1) sigma in CP or sigma : n^k in CCP implies sigma in HB.
// (2) At most one k for each sigma and n, the smallest: the condition that is easiest to fulfil.
// (3) No sigma : n^k in CCP once sigma is in CP: it could say nothing more.
//
// The paper's starred elements m_*^j are not here but in raptor_starred.h.
// Not thread-safe.
#ifndef PREDRACE_ENGINES_RAPTOR_LOCKSETS_H
#define PREDRACE_ENGINES_RAPTOR_LOCKSETS_H

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/container/btree_set.h"

namespace predrace::raptor {

struct Element {
  enum Kind : uint8_t { Thread, Lock, Channel, Joined, Mark };  // Mark: the paper's xi and xi_T
  Kind kind;
  uint32_t number;
  auto operator<=>(const Element&) const = default;
};
constexpr Element thread(uint32_t t) { return {Element::Thread, t}; }
constexpr Element lock(uint32_t m) { return {Element::Lock, m}; }
constexpr Element channel(uint32_t c) { return {Element::Channel, c}; }
constexpr Element mark(uint32_t t) { return {Element::Mark, t}; }
// Stands for all threads that have been joined.
constexpr Element kJoined = {Element::Joined, 0};

// n^k
struct Section {
  uint32_t lock, index;
};

// What a release rel(m)^i by T has to offer to sigma : m^j (Algorithm 4, lines 4 and 7).
struct Offer {
  uint32_t reached = 0;  // the greatest l with T in CP(m^l)
  struct Condition {
    uint32_t l;
    Section section;  // T : section in CCP(m^l)
  };
  std::vector<Condition> conditions;
};

class Locksets {
 public:
  // Algorithm 2, lines 22-23; Algorithm 3, lines 18-19.
  explicit Locksets(uint32_t owner) : po_(owner), hb_{{thread(owner), 0}} {}

  uint32_t po() const { return po_; }
  bool hb(Element e) const { return hb_.contains(e); }
  bool cp(Element e) const { return cp_.contains(e); }
  bool ccp(Element e) const;                // is there any e : n^k?
  uint32_t hbSection(uint32_t lock) const;  // the j of m^j in HB; 0: none

  void addCp(Element e);
  // Whatever is ordered before the next event of `from` is so before that of `to`: rule (c).
  void transfer(Element from, Element to);
  // The same over a hard edge, which makes causally-precedes of happens-before.
  void transferHard(Element from, Element to);
  void erase(Element e);

  // Algorithm 3, lines 3-15: acq(m) by t.
  void acquire(uint32_t m, uint32_t t);
  // Algorithm 4, lines 3-11. True if anything changed.
  bool preRelease(uint32_t m, const Offer& offer);
  // What this owner m^l adds to the offer of a release of m by t.
  void offer(uint32_t l, uint32_t t, Offer& offer) const;
  // Algorithm 5, lines 3-14: rel(m)^i by t.
  void release(Section m, uint32_t t);
  // `to` is held whenever `from` is, and was: a lock's new reader.
  void copyLock(uint32_t from, uint32_t to);

  // The sections that this owner's future depends on: visit(section).
  template <class Visit>
  void eachSection(Visit visit) const {
    for (const auto& [e, j] : hb_)
      if (e.kind == Element::Lock && !cp(e)) visit(Section{e.number, j});
    for (const auto& [key, k] : ccp_) visit(Section{key.second, k});
  }
  size_t memoryBytes() const;

 private:
  using Condition = std::pair<Element, uint32_t>;  // sigma, n

  bool addCcp(Element e, Section n);
  void addHb(Element e, uint32_t section) { hb_.emplace(e, section); }
  std::vector<Section> conditionsOf(Element e) const;

  uint32_t po_;
  absl::btree_map<Element, uint32_t> hb_;  // the section of a lock; 0 for others
  absl::btree_set<Element> cp_;
  absl::btree_map<Condition, uint32_t> ccp_;
};

}  // namespace predrace::raptor

#endif  // PREDRACE_ENGINES_RAPTOR_LOCKSETS_H
