#include "runtime/engines/kept_accesses.h"

#include <algorithm>
#include <utility>

#include "runtime/engines/cp_variables.h"

namespace predrace {
namespace {

cp::Kind kindOf(const EpochAccess& a) { return cp::kindOf(static_cast<Op>(a.op)); }

}  // namespace

void KeptAccesses::check(Variable& v, uint32_t lane, const Event& e) {
  if (v.several()) {
    for (const EpochAccess& a : lists_[e.target]) checkOne(a, v, lane, e);
  } else {
    if (v.write) checkOne(v.write, v, lane, e);
    if (v.read) checkOne(v.read, v, lane, e);
  }
}

void KeptAccesses::checkOne(const EpochAccess& a, Variable& v, uint32_t lane, const Event& e) {
  if (!(cp::kConflicts[cp::kindOf(e.op)] & cp::bit(kindOf(a))) || before(a, lane)) return;
  bool first = !v.read.flag;
  v.read.flag = 1;
  sink_({.first = a.racing(clocks_),
         .second = {e.index, e.thread, e.site, kNone, e.op},
         .variable = e.target,
         .unordered = true,
         .firstOnVariable = first,
         .handOver = {}});
}

void KeptAccesses::keep(Variable& v, uint32_t lane, const Event& e) {
  List& list = listOf(v, e.target);
  uint8_t covered = cp::kCovers[cp::kindOf(e.op)];
  std::erase_if(list,
                [&](const EpochAccess& a) { return (covered & cp::bit(kindOf(a))) && before(a, lane); });
  size_t had = list.capacity();
  list.emplace_back().set(e, lane, clocks_.own(lane));
  listBytes_ += (list.capacity() - had) * sizeof(EpochAccess);
  v.read.index = e.index;
  settle(v, list, lane);
}

// The variable's list, with everything that is kept in it.
KeptAccesses::List& KeptAccesses::listOf(Variable& v, uint32_t x) {
  List& list = lists_[x];
  if (v.several()) return list;
  for (EpochAccess* a : {&v.write, &v.read}) {
    if (!*a) continue;
    size_t had = list.capacity();
    list.push_back(*a);
    list.back().flag = 0;
    listBytes_ += (list.capacity() - had) * sizeof(EpochAccess);
    a->tick = 0;
  }
  v.write.flag = 1;
  return list;
}

// Back to the two places if invariant (1) allows it. REQUIRES: the list's last access is the
// present one, of that lane.
void KeptAccesses::settle(Variable& v, List& list, uint32_t lane) {
  const EpochAccess& last = list.back();
  if (list.size() > 2 || isAtomic(static_cast<Op>(last.op))) return;
  const EpochAccess* former = list.size() == 2 ? &list.front() : nullptr;
  bool isWrite = kindOf(last) == cp::PlainWrite;
  if (former && (isWrite || kindOf(*former) != cp::PlainWrite || !before(*former, lane))) return;
  v.write.flag = 0;
  if (former) v.write.set(*former);
  (isWrite ? v.write : v.read).set(last);
  list.clear();
}

const EpochAccess* KeptAccesses::lastWrite(const Variable& v, uint32_t x) {
  if (!v.several()) return v.write ? &v.write : nullptr;
  const EpochAccess* latest = nullptr;
  for (const EpochAccess& a : lists_[x])
    if (writes(static_cast<Op>(a.op)) && (!latest || a.index > latest->index)) latest = &a;
  return latest;
}

void KeptAccesses::split(uint32_t from, uint32_t to) {
  const Variable* v = variables_.find(from);
  if (!v) return forget(to);
  variables_[to] = *v;
  if (!v->several()) return;
  List& copy = lists_[to];
  listBytes_ -= copy.capacity() * sizeof(EpochAccess);
  copy = lists_[from];
  listBytes_ += copy.capacity() * sizeof(EpochAccess);
}

void KeptAccesses::forget(uint32_t x) {
  if (Variable* v = variables_.find(x)) *v = Variable();
  if (List* list = lists_.find(x)) {
    listBytes_ -= list->capacity() * sizeof(EpochAccess);
    List().swap(*list);
  }
}

uint64_t KeptAccesses::dropChunk(size_t c) {
  uint64_t accesses = 0;
  for (uint32_t i = 0; i < kChunk; ++i) {
    uint32_t x = static_cast<uint32_t>(c) * kChunk + i;
    const Variable& v = variables_.chunk(c)[i];
    accesses += v.several() ? lists_[x].size() : (v.write ? 1 : 0) + (v.read ? 1 : 0);
    forget(x);
  }
  variables_.drop(c);
  lists_.dropRange(c, kChunk);
  return accesses;
}

}  // namespace predrace
