#include "runtime/engines/cp_variables.h"

#include <algorithm>
#include <cstring>

namespace predrace::cp {

Access& Variables::addMore(Variable& v) {
  auto room = [](uint32_t cls) {
    return static_cast<uint32_t>((BlockPool::bytesOf(cls) - sizeof(MoreAccesses)) / sizeof(Access));
  };
  if (!v.more || v.more->count == room(v.more->cls)) {
    uint32_t count = v.more ? v.more->count : 0, cls = v.more ? v.more->cls + 1 : 0;
    auto* bigger = static_cast<MoreAccesses*>(pool_.take(cls));
    bigger->count = count;
    bigger->cls = cls;
    if (v.more) {
      std::copy_n(v.more->accesses, count, bigger->accesses);
      pool_.give(v.more, v.more->cls);
    }
    v.more = bigger;
  }
  return v.more->accesses[v.more->count++];
}

// REQUIRES: the key is not there, there is room, and it is counted already.
Rule& Variables::place(Rules& rules, uint32_t key) {
  Rule* r = line(rules) + rules.count - 1;
  if (hashed(rules)) {
    uint32_t mask = room(rules.tableClass) - 1, i = hash(key);
    while (rules.table[i & mask].key) ++i;
    r = &rules.table[i & mask];
  }
  *r = Rule{key, 0, 0, 0, 0};
  return *r;
}

// Moves the rules that are left (key not 0) to where there is room for so many.
void Variables::resize(Rules& rules, uint32_t count) {
  Rules old = rules;
  rules = Rules();
  if (count > Rules::kFew) {
    while (roomFor(rules.tableClass) < count) ++rules.tableClass;
    rules.table = static_cast<Rule*>(pool_.take(rules.tableClass));
    std::memset(static_cast<void*>(rules.table), 0, BlockPool::bytesOf(rules.tableClass));
  }
  forEachRule(old, [&](const Rule& r) {
    ++rules.count;
    place(rules, r.key) = r;
  });
  if (old.table) pool_.give(old.table, old.tableClass);
}

void Variables::copy(uint32_t from, uint32_t to) {
  clear(to);
  Variable copy = all_.first(from);
  if (const MoreAccesses* m = copy.more) {
    copy.more = static_cast<MoreAccesses*>(pool_.take(m->cls));
    std::memcpy(static_cast<void*>(copy.more), m, BlockPool::bytesOf(m->cls));
  }
  all_.first(to) = copy;
  const Rules* former = all_.findSecond(from);
  if (!former) return;
  Rules rules = *former;
  if (const Rule* table = rules.table) {
    rules.table = static_cast<Rule*>(pool_.take(rules.tableClass));
    std::memcpy(static_cast<void*>(rules.table), table, BlockPool::bytesOf(rules.tableClass));
  }
  all_.pair(to).second = rules;
}

void Variables::clear(uint32_t x) {
  if (Variable* v = all_.findFirst(x)) {
    if (v->more) pool_.give(v->more, v->more->cls);
    *v = Variable();
  }
  if (Rules* rules = all_.findSecond(x)) {
    if (rules->table) pool_.give(rules->table, rules->tableClass);
    *rules = Rules();
  }
}

}  // namespace predrace::cp
