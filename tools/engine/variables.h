// Variables: which bytes of memory are which variable of the analysis.
//
// Not thread-safe. A variable is a set of bytes of one 8-byte granule, or a span of
// adjacent whole granules of one 64-byte line, that were always accessed together
// so far. An access of part of it splits it: all parts then have the whole
// history, and each goes its own way.
//
// A radix tree over the 44-bit granule number (a user address has 47 bits): 15
// bits root, 16 bits middle, 13 bits leaf. A leaf has a Cell for each granule,
// which tells the usual accesses (all 8 bytes, either half) their variable
// without looking further: that cache miss would be the dearest part of an access.
//
// Invariants
//  (1) A cell is Whole (b is kWhole, a is the variable of all bytes), or Halves (a and
//      b are the variables of the low and the high four bytes, 0 if none), or part
//      of a Span (b is spanWord(place in it, its granules), a its variable), or a
//      List (a has kList, and is the first of variables linked through Info::next).
//      Variables in cells and links are numbers + 1, so that 0 is none.
//  (2) The variables of a granule are disjoint.
//  (3) Whoever walks a list may split the variable it is at: the new one goes right
//      behind it.
//  (4) A forgotten number comes back as another variable; where it was before
//      that is remembered for a while, because engines may decide races late.
#ifndef PREDRACE_TOOLS_ENGINE_VARIABLES_H
#define PREDRACE_TOOLS_ENGINE_VARIABLES_H

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "tools/engine/emitter.h"

namespace predrace {

constexpr uint64_t kLineBytes = 64;

struct Bytes {
  uint64_t granule = 0;
  uint8_t mask = 0;
  uint8_t granules = 1;  // more than one: all bytes of each
  uint64_t address() const { return granule << 3 | static_cast<unsigned>(__builtin_ctz(mask | 0x100)); }
  unsigned size() const { return static_cast<unsigned>(__builtin_popcount(mask)) * granules; }
};

class Variables {
 public:
  explicit Variables(Emitter& emitter);
  ~Variables();
  Variables(const Variables&) = delete;

  // use(variable) for each variable of the access, which together cover exactly
  // the masked bytes; makes and splits variables as needed.
  template <class Use>
  void access(uint64_t granule, uint8_t mask, Use&& use) {
    if (granule >> kGranuleBits) return;  // not a user address
    Cell& cell = cellOf(granule);
    if (uint32_t known = knownIn(cell, mask)) {
      use(known - 1);
    } else {
      accessSlow(granule, mask, cell, use);
    }
  }
  // The same for all bytes of a range.
  template <class Use>
  void accessRange(uint64_t address, uint64_t size, Use&& use) {
    for (uint64_t end = address + size; address < end;) {
      uint64_t stop = std::min(end, (address | (kLineBytes - 1)) + 1);
      accessInLine(address, stop, use);
      address = stop;
    }
  }
  // use(variable) for the variables that exist in the range; parts of variables are split off.
  template <class Use>
  void existing(uint64_t address, uint64_t size, Use&& use);
  // The range starts a new life: its variables are gone.
  void forget(uint64_t address, uint64_t size);

  // Looking ahead, without making anything: fetches the address's cell into the cache;
  // the variable + 1 of an access (of its first bytes, if it is long) if its cell
  // tells it at once, else 0.
  void prefetch(uint64_t address) const {
    uint64_t granule = address >> 3;
    if (const Leaf* leaf = leafAt(granule)) {
      __builtin_prefetch(&leaf->cells[granule & ((1 << kLeafBits) - 1)], 1);
    }
  }
  uint32_t known(uint64_t address, uint64_t size) const {
    uint64_t granule = address >> 3;
    const Leaf* leaf = leafAt(granule);
    if (leaf == nullptr) return 0;
    const Cell& cell = leaf->cells[granule & ((1 << kLeafBits) - 1)];
    if (isSpan(cell)) return cell.a;
    return knownIn(cell, maskOf(address, address + size, granule));
  }

  // Where the variable was at the time of event `index`.
  Bytes bytesAt(uint32_t variable, uint64_t index) const;
  Bytes bytesOf(uint32_t variable) const { return infos_[variable].bytes(); }

  size_t live() const { return infos_.size() - free_.size(); }
  size_t memoryBytes() const;

 private:
  static constexpr unsigned kLeafBits = 13, kMidBits = 16, kRootBits = 15;
  static constexpr unsigned kGranuleBits = kLeafBits + kMidBits + kRootBits;
  static constexpr size_t kPast = 1 << 16;
  static constexpr uint32_t kList = 1u << 31, kWhole = ~0u, kSpan = 0xffff0000u;
  struct Cell {
    uint32_t a, b;
  };
  struct Leaf {
    Cell cells[1 << kLeafBits];
  };
  struct Mid {
    Leaf* leaves[1 << kMidBits];
  };
  struct Info {
    uint64_t granule;
    uint32_t next;  // + 1; 0 ends
    uint8_t mask;
    uint8_t granules;
    uint64_t birth;  // index of the event it was made for
    Bytes bytes() const { return {granule, mask, granules}; }
  };
  struct Past {
    uint32_t variable;
    uint64_t birth;
    Bytes bytes;
  };

  static constexpr uint32_t spanWord(uint64_t place, uint64_t granules) {
    return kSpan | static_cast<uint32_t>(place << 8 | granules);
  }
  static bool isEmpty(const Cell& cell) { return cell.a == 0 && cell.b == 0; }
  static bool isSpan(const Cell& cell) { return cell.b >= kSpan && cell.b != kWhole; }
  static uint64_t placeIn(const Cell& span) { return span.b >> 8 & 0xff; }
  static uint64_t granulesOf(const Cell& span) { return span.b & 0xff; }
  // The bytes of the granule that lie in [begin, end).
  static uint8_t maskOf(uint64_t begin, uint64_t end, uint64_t granule) {
    uint64_t from = granule << 3;
    unsigned low = begin > from ? static_cast<unsigned>(begin - from) : 0;
    unsigned high = end < from + 8 ? static_cast<unsigned>(end - from) : 8;
    return static_cast<uint8_t>((1u << high) - (1u << low));
  }
  static uint32_t knownIn(const Cell& cell, uint8_t mask) {
    if (mask == 0xff) return cell.b == kWhole ? cell.a : 0;
    if (cell.b >= kSpan || (cell.a & kList)) return 0;
    return mask == 0x0f ? cell.a : mask == 0xf0 ? cell.b : 0;
  }
  const Leaf* leafAt(uint64_t granule) const {
    if (granule >> kLeafBits == cachedKey_) return cachedLeaf_;
    if (granule >> kGranuleBits) return nullptr;
    const Mid* mid = root_[granule >> (kLeafBits + kMidBits)];
    return mid == nullptr ? nullptr : mid->leaves[granule >> kLeafBits & ((1 << kMidBits) - 1)];
  }
  Cell& cellOf(uint64_t granule) {
    uint64_t key = granule >> kLeafBits;
    if (__builtin_expect(key != cachedKey_, 0)) findLeaf(key);
    return cachedLeaf_->cells[granule & ((1 << kLeafBits) - 1)];
  }
  void findLeaf(uint64_t key);
  uint32_t make(uint64_t granule, uint8_t mask, uint32_t next, uint8_t granules = 1);
  void recycle(uint32_t variable);
  // Takes `part` out of the variable, as a new one behind it.
  uint32_t split(uint32_t variable, uint8_t part);
  void makeList(Cell& cell);
  // The cell's span becomes one variable for each of its granules.
  void breakSpan(uint64_t granule, Cell& cell);
  // Gives all cells of a variable's span a value.
  template <class Value>
  void fillSpan(uint64_t first, uint64_t granules, Value&& value) {
    for (uint64_t i = 0; i < granules; ++i) cellOf(first + i) = value(i);
  }
  template <class Use>
  void accessInLine(uint64_t address, uint64_t end, Use&& use);
  void forgetBytes(Cell& cell, uint8_t mask);
  template <class Use>
  void accessSlow(uint64_t granule, uint8_t mask, Cell& cell, Use&& use);
  // use(granule, mask, cell) for granules in the range that have variables; those
  // of a span only once, if the range has all of it.
  template <class Use>
  void forUsedGranules(uint64_t address, uint64_t size, Use&& use);

  Emitter& emitter_;
  Mid** root_;
  uint64_t cachedKey_ = ~0ull;
  Leaf* cachedLeaf_ = nullptr;
  std::vector<Info> infos_;
  std::vector<uint32_t> free_;
  std::deque<Past> past_;
  size_t leaves_ = 0, mids_ = 0;
};

// [address, end) lies in one line.
template <class Use>
void Variables::accessInLine(uint64_t address, uint64_t end, Use&& use) {
  uint64_t first = address >> 3, granules = ((end + 7) >> 3) - first;
  if ((end - 1) >> 3 >> kGranuleBits) return;  // not user addresses
  if (granules > 1 && ((address | end) & 7) == 0) {
    Cell& cell = cellOf(first);
    if (cell.b == spanWord(0, granules)) return use(cell.a - 1);
    bool fresh = true;
    for (uint64_t i = 0; i < granules && fresh; ++i) fresh = isEmpty(cellOf(first + i));
    if (fresh) {
      uint32_t v = make(first, 0xff, 0, static_cast<uint8_t>(granules));
      fillSpan(first, granules, [&](uint64_t i) { return Cell{v + 1, spanWord(i, granules)}; });
      return use(v);
    }
  }
  for (uint64_t granule = first; granule < first + granules; ++granule)
    access(granule, maskOf(address, end, granule), use);
}

template <class Use>
void Variables::accessSlow(uint64_t granule, uint8_t mask, Cell& cell, Use&& use) {
  if (isSpan(cell)) {
    breakSpan(granule, cell);
    if (mask == 0xff) return use(cell.a - 1);
  }
  bool halves = mask == 0xff || mask == 0x0f || mask == 0xf0;
  if (isEmpty(cell) && mask == 0xff) {
    cell = {make(granule, mask, 0) + 1, kWhole};
    return use(cell.a - 1);
  }
  if (!halves || (cell.a & kList)) {
    makeList(cell);
    uint8_t uncovered = mask;
    for (uint32_t v = cell.a & ~kList; v != 0 && uncovered != 0; v = infos_[v - 1].next) {
      uint8_t common = infos_[v - 1].mask & mask;
      if (common == 0) continue;
      if (uint8_t rest = infos_[v - 1].mask & ~mask) split(v - 1, rest);
      use(v - 1);
      uncovered &= ~common;
    }
    if (uncovered == 0) return;
    uint32_t v = make(granule, uncovered, cell.a & ~kList);
    cell.a = (v + 1) | kList;
    return use(v);
  }
  if (cell.b == kWhole) {  // and the access is of one half
    uint32_t rest = split(cell.a - 1, static_cast<uint8_t>(~mask)) + 1;
    cell = mask == 0x0f ? Cell{cell.a, rest} : Cell{rest, cell.a};
  }
  if (mask & 0x0f) {
    if (cell.a == 0) cell.a = make(granule, 0x0f, 0) + 1;
    use(cell.a - 1);
  }
  if (mask & 0xf0) {
    if (cell.b == 0) cell.b = make(granule, 0xf0, 0) + 1;
    use(cell.b - 1);
  }
}

template <class Use>
void Variables::forUsedGranules(uint64_t address, uint64_t size, Use&& use) {
  if (size == 0) return;
  uint64_t granule = address >> 3, last = (address + size - 1) >> 3;
  if (last >> kGranuleBits) return;
  while (granule <= last) {
    Mid* mid = root_[granule >> (kLeafBits + kMidBits)];
    if (mid == nullptr) {
      granule = ((granule >> (kLeafBits + kMidBits)) + 1) << (kLeafBits + kMidBits);
      continue;
    }
    Leaf* leaf = mid->leaves[granule >> kLeafBits & ((1 << kMidBits) - 1)];
    uint64_t next = ((granule >> kLeafBits) + 1) << kLeafBits;
    if (leaf == nullptr) {
      granule = next;
      continue;
    }
    for (; granule <= last && granule < next; ++granule) {
      Cell& cell = leaf->cells[granule & ((1 << kLeafBits) - 1)];
      if (isEmpty(cell)) continue;
      uint8_t mask = maskOf(address, address + size, granule);
      if (isSpan(cell)) {
        uint64_t begin = granule - placeIn(cell), end = begin + granulesOf(cell);
        if (begin << 3 < address || end << 3 > address + size) {
          breakSpan(granule, cell);
        } else if (begin != granule) {
          continue;
        }
      }
      use(granule, mask, cell);
    }
  }
}

template <class Use>
void Variables::existing(uint64_t address, uint64_t size, Use&& use) {
  forUsedGranules(address, size, [&](uint64_t, uint8_t mask, Cell& cell) {
    if (mask != 0xff) makeList(cell);
    if (!(cell.a & kList)) {
      if (cell.a != 0) use(cell.a - 1);
      if (cell.b != 0 && cell.b < kSpan) use(cell.b - 1);
      return;
    }
    for (uint32_t v = cell.a & ~kList; v != 0; v = infos_[v - 1].next) {
      if ((infos_[v - 1].mask & mask) == 0) continue;
      if (uint8_t rest = infos_[v - 1].mask & ~mask) split(v - 1, rest);
      use(v - 1);
    }
  });
}

}  // namespace predrace

#endif  // PREDRACE_TOOLS_ENGINE_VARIABLES_H
