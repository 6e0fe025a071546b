// LocksetTable: the locksets of Goldilocks, each kept once, so that a synchronisation event
// acts on the few distinct locksets and never on the many variables that refer to them.
//
// A lockset here is not a set of held locks (lockset.h). It belongs to an access a and says
// through which elements later events come after a: threads, and what threads hand on, that
// is released locks, channels, forks and ends of threads. It starts as {the thread of a} and
// only grows: `pass(from, to)` gives every lockset that has `from` the element `to` as well.
// So a is ordered before the present of thread t exactly if t is in its lockset.
//
// The table is a matrix of bits, a row per element, a column per lockset. pass() is then one
// `or` of two rows, 64 bytes each while there are fewer than 512 locksets.
//
// Why there are few. All accesses of a thread between two things that it hands on share one
// lockset. Two locksets of one thread are nested, the older one being the larger: who comes
// after the later access comes after the earlier one too. So a thread's locksets form a
// chain, in each row of which the bits are a prefix, and at most as many of a chain differ as
// there are elements. compact(), run when the columns are used up, merges the equal ones,
// drops those nobody refers to, and renumbers the columns chain by chain.
//
// Numbers of locksets outlive columns: a merged lockset becomes a link to its equal until
// nobody refers to it (union-find with counts), so that no reference is ever looked for.
//
// Invariants:
// (1) Equal locksets stay equal, as pass() and remove() treat them alike: merging is exact.
// (2) In every row, the columns of a chain that are set are its first ones (the oldest).
// (3) An element that starts locksets is in all of its chain, so the newest is never merged
//     into a newer one; it is never removed.
// (4) Column 0 is set in every row: kEverything, the lockset of what counts as ordered.
// (5) At least half of the columns are free after compact(), so it costs, per new lockset, at
//     most two words of each row and some bisections.
//
// Memory: elements x columns / 8 bytes, columns <= 4 x (threads x elements). Not thread-safe.
#ifndef PREDRACE_ENGINES_LOCKSET_TABLE_H
#define PREDRACE_ENGINES_LOCKSET_TABLE_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace predrace {

class LocksetTable {
 public:
  using Element = uint32_t;
  using Set = uint32_t;
  static constexpr Set kEverything = 0;

  LocksetTable();

  // An element that is in no lockset yet but kEverything.
  Element add();
  // Out of all locksets; the number may come back.
  void remove(Element e);

  // Every lockset that has `from` has `to` from now on.
  void pass(Element from, Element to) {
    uint64_t* target = row(to);
    const uint64_t* source = row(from);
    for (uint32_t w = 0; w < words_; ++w) target[w] |= source[w];
  }
  // Has every lockset with `inner` also `outer`?
  bool covers(Element outer, Element inner) const;

  // A new lockset {owner}, with one reference. It is the newest of the owner's chain.
  // REQUIRES: whoever is after the new access is after the chain's earlier ones.
  Set start(Element owner) {
    if (columns_ == words_ * 64) [[unlikely]]
      compact();
    return append(owner);
  }
  void hold(Set s) { ++sets_[s].refs; }
  void drop(Set s) {
    if (--sets_[s].refs == 0 && (sets_[s].link & kMerged)) [[unlikely]]
      release(s);
  }
  bool has(Set s, Element e) {
    uint32_t column = sets_[s].link;
    if (column & kMerged) [[unlikely]]
      column = sets_[rootOf(s)].link;
    return row(e)[column / 64] >> (column % 64) & 1;
  }
  bool isEverything(Set s) {
    return s == kEverything || ((sets_[s].link & kMerged) && rootOf(s) == kEverything);
  }

  // The older half of each chain becomes kEverything. How many locksets were that?
  size_t foldOldest();

  // Columns in use: distinct locksets, and those that compact() has yet to find equal or unused.
  size_t size() const { return columns_; }
  size_t memoryBytes() const;

 private:
  static constexpr uint32_t kMerged = 1u << 31;
  static constexpr uint32_t kNoChain = ~0u;
  static constexpr uint32_t kWords = 8;  // of a row, at least: one cache line
  struct Entry {
    uint32_t refs;
    uint32_t link;  // its column, or the lockset it was merged into | kMerged
  };
  using Chain = std::vector<Set>;  // oldest first

  uint64_t* row(Element e) { return bits_.data() + size_t{e} * words_; }
  const uint64_t* row(Element e) const { return bits_.data() + size_t{e} * words_; }
  size_t elements() const { return chainOf_.size(); }

  Set append(Element owner);
  Set rootOf(Set s);
  void release(Set s);
  void link(Set s, Set to);
  Set unite(Set older, Set newer);

  void compact();
  size_t prefix(const Chain& chain, Element e) const;
  void dropUnused();
  void mergeEqual();
  void renumber();

  uint32_t words_ = kWords;
  uint32_t columns_ = 1;
  std::vector<uint64_t> bits_;     // row by row
  std::vector<uint32_t> chainOf_;  // by element; kNoChain: it has started no lockset
  std::vector<Chain> chains_;
  std::vector<Entry> sets_;
  std::vector<Set> freeSets_;
  std::vector<Element> freeElements_;
};

}  // namespace predrace

#endif  // PREDRACE_ENGINES_LOCKSET_TABLE_H
