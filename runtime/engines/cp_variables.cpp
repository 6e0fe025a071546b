#include "runtime/engines/cp_variables.h"

#include <algorithm>
#include <cstring>

namespace predrace::cp {

Extra& Variables::extra(Variable& v) {
  if (!v.extra) {
    v.extra = static_cast<Extra*>(pool_.take(BlockPool::classOf(sizeof(Extra))));
    std::memset(static_cast<void*>(v.extra), 0, sizeof(Extra));
  }
  return *v.extra;
}

void Variables::addMore(Variable& v, const Access& a) {
  Extra& e = extra(v);
  uint32_t room = e.more ? static_cast<uint32_t>(BlockPool::bytesOf(e.moreClass) / sizeof(Access)) : 0;
  if (e.moreCount == room) {
    uint32_t cls = e.more ? e.moreClass + 1 : 0;
    auto* bigger = static_cast<Access*>(pool_.take(cls));
    std::copy_n(e.more, e.moreCount, bigger);
    if (e.more) pool_.give(e.more, e.moreClass);
    e.more = bigger;
    e.moreClass = cls;
  }
  e.more[e.moreCount++] = a;
}

// REQUIRES: the key is not there and there is room.
Rule& Variables::place(Extra& e, uint32_t key) {
  Rule* r;
  if (!e.table) {
    r = &e.few[e.rules - 1];
  } else if (uint32_t places = room(e.tableClass); places <= kHashed) {
    r = &e.table[e.rules - 1];
  } else {
    uint32_t i = hash(key);
    while (e.table[i & (places - 1)].key) ++i;
    r = &e.table[i & (places - 1)];
  }
  *r = Rule{key, 0, 0, 0, 0};
  return *r;
}

// Moves the rules that are left (key not 0) into a table for that many.
void Variables::resize(Extra& e, uint32_t rules) {
  Rule* old = e.table ? e.table : e.few;
  uint32_t places = e.table ? room(e.tableClass) : Extra::kInline, oldClass = e.tableClass;
  bool wasTable = e.table;
  Rule few[Extra::kInline];
  if (!wasTable) {
    std::copy_n(e.few, Extra::kInline, few);
    old = few;
  }
  uint32_t cls = 1;
  while (roomFor(cls) < rules) ++cls;
  if (!wasTable && rules <= Extra::kInline) {
    e.table = nullptr;
  } else {
    e.table = static_cast<Rule*>(pool_.take(cls));
    e.tableClass = cls;
    std::memset(static_cast<void*>(e.table), 0, BlockPool::bytesOf(cls));
  }
  std::memset(static_cast<void*>(e.few), 0, sizeof(e.few));
  e.rules = 0;
  for (uint32_t i = 0; i < places; ++i)
    if (old[i].key) {
      ++e.rules;
      place(e, old[i].key) = old[i];
    }
  if (wasTable) pool_.give(old, oldClass);
}

void Variables::copy(Variable& from, Variable& to) {
  clear(to);
  to = from;
  if (!from.extra) return;
  Extra& e = *from.extra;
  to.extra = nullptr;
  Extra& f = extra(to);
  f = e;
  if (e.more) {
    f.more = static_cast<Access*>(pool_.take(e.moreClass));
    std::copy_n(e.more, e.moreCount, f.more);
  }
  if (e.table) {
    f.table = static_cast<Rule*>(pool_.take(e.tableClass));
    std::memcpy(static_cast<void*>(f.table), e.table, BlockPool::bytesOf(e.tableClass));
  }
}

void Variables::clear(Variable& v) {
  if (Extra* e = v.extra) {
    if (e->more) pool_.give(e->more, e->moreClass);
    if (e->table) pool_.give(e->table, e->tableClass);
    pool_.give(e, BlockPool::classOf(sizeof(Extra)));
  }
  v = Variable();
}

}  // namespace predrace::cp
