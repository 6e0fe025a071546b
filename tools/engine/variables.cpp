#include "tools/engine/variables.h"

#include <cstdlib>
#include <new>
#include <utility>

namespace predrace {

namespace {
// calloc, because most of a table is never touched and then costs no memory.
template <class T>
T* zeroed(size_t n = 1) {
  void* p = std::calloc(n, sizeof(T));
  if (p == nullptr) throw std::bad_alloc();
  return static_cast<T*>(p);
}
}  // namespace

Variables::Variables(Emitter& emitter) : emitter_(emitter), root_(zeroed<Mid*>(1 << kRootBits)) {}

Variables::~Variables() {
  for (size_t i = 0; i < 1 << kRootBits; ++i) {
    if (root_[i] == nullptr) continue;
    for (Leaf* leaf : root_[i]->leaves) std::free(leaf);
    std::free(root_[i]);
  }
  std::free(root_);
}

void Variables::findLeaf(uint64_t key) {
  Mid*& mid = root_[key >> kMidBits];
  if (mid == nullptr) {
    mid = zeroed<Mid>();
    ++mids_;
  }
  Leaf*& leaf = mid->leaves[key & ((1 << kMidBits) - 1)];
  if (leaf == nullptr) {
    leaf = zeroed<Leaf>();
    ++leaves_;
  }
  cachedKey_ = key;
  cachedLeaf_ = leaf;
}

uint32_t Variables::make(uint64_t granule, uint8_t mask, uint32_t next, uint8_t granules) {
  Info info{granule, next, mask, granules, emitter_.index()};
  if (free_.empty()) {
    infos_.push_back(info);
    return static_cast<uint32_t>(infos_.size() - 1);
  }
  uint32_t v = free_.back();
  free_.pop_back();
  infos_[v] = info;
  return v;
}

void Variables::recycle(uint32_t variable) {
  const Info& info = infos_[variable];
  past_.push_back({variable, info.birth, info.bytes()});
  if (past_.size() > kPast) past_.pop_front();
  emitter_.engine().forgetVariable(variable);
  free_.push_back(variable);
}

uint32_t Variables::split(uint32_t variable, uint8_t part) {
  uint32_t fresh = make(infos_[variable].granule, part, infos_[variable].next);
  Info& from = infos_[variable];
  infos_[fresh].birth = from.birth;  // it has the whole history
  from.mask = from.mask & ~part;
  from.next = fresh + 1;
  emitter_.engine().splitVariable(variable, fresh);
  return fresh;
}

void Variables::breakSpan(uint64_t granule, Cell& cell) {
  uint64_t first = granule - placeIn(cell), granules = granulesOf(cell);
  uint32_t v = cell.a - 1;
  for (uint64_t i = granules; i-- > 1;) {
    uint32_t part = make(first + i, 0xff, 0);
    infos_[part].birth = infos_[v].birth;  // it has the whole history
    infos_[v].granules = static_cast<uint8_t>(i);
    emitter_.engine().splitVariable(v, part);
    cellOf(first + i) = {part + 1, kWhole};
  }
  cellOf(first) = {v + 1, kWhole};
}

void Variables::makeList(Cell& cell) {
  if (cell.a & kList) return;
  uint32_t first = cell.a, second = cell.b == kWhole ? 0 : cell.b;  // links may be old ones
  if (first == 0) std::swap(first, second);
  if (first != 0) infos_[first - 1].next = second;
  if (second != 0) infos_[second - 1].next = 0;
  cell = {first | kList, 0};
}

void Variables::forgetBytes(Cell& cell, uint8_t mask) {
  makeList(cell);
  uint32_t first = cell.a & ~kList;
  uint32_t* link = &first;
  while (*link != 0) {
    uint32_t v = *link - 1;
    uint8_t keep = infos_[v].mask & ~mask;
    if (keep == infos_[v].mask) {
      link = &infos_[v].next;
    } else if (keep != 0) {
      split(v, infos_[v].mask & mask);  // may move infos_: start again
      link = &first;
    } else {
      uint32_t next = infos_[v].next;
      recycle(v);
      *link = next;
    }
  }
  cell.a = first == 0 ? 0 : first | kList;
}

void Variables::forget(uint64_t address, uint64_t size) {
  forUsedGranules(address, size, [&](uint64_t granule, uint8_t mask, Cell& cell) {
    if (!isSpan(cell)) return forgetBytes(cell, mask);
    recycle(cell.a - 1);
    fillSpan(granule, granulesOf(cell), [](uint64_t) { return Cell{}; });
  });
}

Bytes Variables::bytesAt(uint32_t variable, uint64_t index) const {
  const Info& info = infos_[variable];
  if (info.birth <= index) return info.bytes();
  for (auto past = past_.rbegin(); past != past_.rend(); ++past) {
    if (past->variable == variable && past->birth <= index) return past->bytes;
  }
  return {};
}

size_t Variables::memoryBytes() const {
  return infos_.capacity() * sizeof(Info) + leaves_ * sizeof(Leaf) + past_.size() * sizeof(Past);
}

}  // namespace predrace
