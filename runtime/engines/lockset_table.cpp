#include "runtime/engines/lockset_table.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace predrace {
namespace {

void fill(uint64_t* row, size_t begin, size_t end) {
  while (begin < end) {
    size_t n = std::min(end - begin, 64 - begin % 64);
    row[begin / 64] |= ~uint64_t{0} >> (64 - n) << begin % 64;
    begin += n;
  }
}

}  // namespace

LocksetTable::LocksetTable() : sets_{{.refs = 1, .link = 0}} {}

LocksetTable::Element LocksetTable::add() {
  if (!freeElements_.empty()) {
    Element e = freeElements_.back();
    freeElements_.pop_back();
    return e;
  }
  auto e = static_cast<Element>(elements());
  chainOf_.push_back(kNoChain);
  bits_.resize(elements() * words_);
  row(e)[0] = 1;
  return e;
}

void LocksetTable::remove(Element e) {
  std::fill_n(row(e), words_, 0);
  row(e)[0] = 1;
  freeElements_.push_back(e);
}

bool LocksetTable::covers(Element outer, Element inner) const {
  for (uint32_t w = 0; w < words_; ++w)
    if (row(inner)[w] & ~row(outer)[w]) return false;
  return true;
}

LocksetTable::Set LocksetTable::append(Element owner) {
  Set s;
  if (freeSets_.empty()) {
    s = static_cast<Set>(sets_.size());
    sets_.emplace_back();
  } else {
    s = freeSets_.back();
    freeSets_.pop_back();
  }
  uint32_t column = columns_++;
  sets_[s] = {.refs = 1, .link = column};
  row(owner)[column / 64] |= uint64_t{1} << column % 64;
  if (chainOf_[owner] == kNoChain) {
    chainOf_[owner] = static_cast<uint32_t>(chains_.size());
    chains_.emplace_back();
  }
  chains_[chainOf_[owner]].push_back(s);
  return s;
}

// REQUIRES: s is merged. Links it to the root itself, so that the way is walked once.
LocksetTable::Set LocksetTable::rootOf(Set s) {
  Set to = sets_[s].link & ~kMerged;
  while (sets_[to].link & kMerged) {
    Set next = sets_[to].link & ~kMerged;
    hold(next);
    sets_[s].link = next | kMerged;
    drop(to);
    to = next;
  }
  return to;
}

// The last reference to a merged lockset is gone: so is its own to the next.
void LocksetTable::release(Set s) {
  freeSets_.push_back(s);
  drop(sets_[s].link & ~kMerged);
}

void LocksetTable::link(Set s, Set to) {
  hold(to);
  sets_[s].link = to | kMerged;
}

// The one with fewer references becomes the link, which keeps ways short. The other one has
// the newer one's column from now on.
LocksetTable::Set LocksetTable::unite(Set older, Set newer) {
  uint32_t column = sets_[newer].link;
  auto [few, many] = std::minmax(older, newer, [&](Set a, Set b) { return sets_[a].refs < sets_[b].refs; });
  link(few, many);
  sets_[many].link = column;
  return many;
}

// How many of the chain, its oldest ones, have the element?
size_t LocksetTable::prefix(const Chain& chain, Element e) const {
  const uint64_t* r = row(e);
  auto has = [&](Set s) { return r[sets_[s].link / 64] >> (sets_[s].link % 64) & 1; };
  return static_cast<size_t>(std::partition_point(chain.begin(), chain.end(), has) - chain.begin());
}

void LocksetTable::dropUnused() {
  auto unused = [&](Set s) {
    if (sets_[s].refs) return false;
    freeSets_.push_back(s);
    return true;
  };
  for (Chain& chain : chains_) std::erase_if(chain, unused);
}

// A lockset equals the next newer one of its chain unless some row's prefix ends with it.
// Here and below rows are in the outer loop: they do not all fit into the caches.
void LocksetTable::mergeEqual() {
  std::vector<bool> ends(columns_);
  for (Element e = 0; e < elements(); ++e)
    for (const Chain& chain : chains_)
      if (size_t n = prefix(chain, e)) ends[sets_[chain[n - 1]].link] = true;
  for (Chain& chain : chains_) {
    size_t kept = 0;
    for (size_t i = 0; i < chain.size(); ++i) {
      if (ends[sets_[chain[i]].link])
        chain[kept++] = chain[i];
      else
        chain[i + 1] = unite(chain[i], chain[i + 1]);
    }
    chain.resize(kept);
  }
}

void LocksetTable::renumber() {
  size_t total = 1;
  for (const Chain& chain : chains_) total += chain.size();
  auto words = std::max(kWords, static_cast<uint32_t>(std::bit_ceil(2 * total) / 64));
  std::vector<uint64_t> bits(elements() * words);
  for (Element e = 0; e < elements(); ++e) {
    uint64_t* r = &bits[size_t{e} * words];
    fill(r, 0, 1);
    size_t begin = 1;
    for (const Chain& chain : chains_) {
      fill(r, begin, begin + prefix(chain, e));
      begin += chain.size();
    }
  }
  bits_ = std::move(bits);
  words_ = words;
  columns_ = 1;
  for (const Chain& chain : chains_)
    for (Set s : chain) sets_[s].link = columns_++;
}

void LocksetTable::compact() {
  dropUnused();
  mergeEqual();
  renumber();
}

size_t LocksetTable::foldOldest() {
  compact();
  size_t folded = 0;
  for (Chain& chain : chains_) {
    size_t half = chain.size() / 2;
    for (size_t i = 0; i < half; ++i) link(chain[i], kEverything);
    chain.erase(chain.begin(), chain.begin() + static_cast<std::ptrdiff_t>(half));
    folded += half;
  }
  renumber();
  return folded;
}

size_t LocksetTable::memoryBytes() const {
  size_t chained = 0;
  for (const Chain& chain : chains_) chained += sizeof(Chain) + chain.capacity() * sizeof(Set);
  return bits_.capacity() * sizeof(uint64_t) + chained + (sets_.size() - freeSets_.size()) * sizeof(Entry) +
         (freeSets_.capacity() + freeElements_.capacity() + chainOf_.capacity()) * sizeof(uint32_t);
}

}  // namespace predrace
