// Variables: per variable, the accesses that a later one may race with, and for rule (a)
// the critical sections in which it was accessed.
//
// Which accesses are kept: of each lane and kind the latest; and not even that, if a
// later access that conflicts with as much is CP-after it (or of the same lane): whoever
// is unordered with the dropped one is unordered with that later one too. So a variable
// under one lock keeps one access.
//
// Rule (a) needs, per lock and variable, the last section of any other lane with a
// conflicting access: the last ones of two different lanes are enough. Kept per class of
// accesses: writes, plain reads, atomic reads (which conflict in rule (a), among
// themselves too).
//
// One cache line per variable, one block of two more if it is accessed under locks or by
// many lanes. Not thread-safe.
#ifndef PREDRACE_ENGINES_CP_VARIABLES_H
#define PREDRACE_ENGINES_CP_VARIABLES_H

#include <cstddef>
#include <cstdint>

#include "runtime/engines/chunked.h"
#include "runtime/engines/cp_unknown.h"
#include "runtime/engines/event.h"

namespace predrace::cp {

enum Kind : uint8_t { PlainWrite, PlainRead, AtomicWrite, AtomicRead };
constexpr uint8_t bit(Kind k) { return static_cast<uint8_t>(1u << k); }
constexpr Kind kindOf(Op op) {
  constexpr Kind kKinds[] = {PlainRead, PlainWrite, AtomicRead, AtomicWrite, AtomicWrite};
  return kKinds[static_cast<int>(op)];
}

// By kind of the later access: the earlier kinds that it can race with.
constexpr uint8_t kConflicts[] = {0b1111, 0b0101, 0b0011, 0b0001};
// By kind: the kinds that race with no more than it does.
constexpr uint8_t kCovers[] = {0b1111, 0b1010, 0b1100, 0b1000};
// By kind: the kinds after which, in the same segment, it says nothing new at all.
constexpr uint8_t kCoveredBy[] = {0b0001, 0b0011, 0b0101, 0b1101};

enum Class : uint8_t { Writes, PlainReads, AtomicReads };
constexpr Class kClass[] = {Writes, PlainReads, Writes, AtomicReads};  // by kind
// By kind: the classes that rule (a) counts as conflicting.
constexpr uint8_t kDepends[] = {0b111, 0b001, 0b111, 0b101};

struct Access {
  uint64_t index;
  uint32_t site;
  uint32_t lockset;
  Epoch epoch;
  uint16_t lane;
  Op op;
};
static_assert(sizeof(Access) == 24);

// The last sections of a lock in which two different lanes made accesses of a class.
struct Rule {
  uint32_t key;  // lock << 2 | class; 0: free
  uint32_t last, other;
  uint16_t lastLane, otherLane;

  static constexpr uint32_t keyOf(uint32_t lock, Class c) { return lock << 2 | c; }
  uint32_t lock() const { return key >> 2; }
  uint32_t byOther(uint32_t lane) const { return lastLane == lane ? other : last; }
  void record(uint32_t lane, uint32_t k) {
    if (lastLane != lane) {
      other = last;
      otherLane = lastLane;
      lastLane = static_cast<uint16_t>(lane);
    }
    last = k;
  }
};
static_assert(sizeof(Rule) == 16);

struct Extra {
  static constexpr uint32_t kInline = 5;
  Access* more;         // accesses beyond the variable's own two
  Rule* table;          // instead of `few`, a hash table if roomy
  uint32_t moreCount, moreClass;
  uint32_t rules, tableClass;
  Rule few[kInline];
};
static_assert(sizeof(Extra) <= 128);

struct Variable {
  // The latest access: if that lane comes again in the same segment (nothing but accesses
  // in between) with a kind in `done`, there is nothing new to say.
  uint32_t segment = 0;
  uint16_t lane = 0;
  uint8_t done = 0;
  uint8_t count : 2 = 0;    // of own
  bool raced : 1 = false;   // a race on it was reported
  bool queued : 1 = false;  // checks of it are waiting
  Extra* extra = nullptr;
  Access own[2];
};
static_assert(sizeof(Variable) == 64, "one cache line");

class Variables {
 public:
  explicit Variables(BlockPool& pool) : pool_(pool) {}

  Variable& operator[](uint32_t x) { return variables_[x]; }
  Variable* find(uint32_t x) { return variables_.find(x); }

  template <class F>
  static void forEach(Variable& v, F f) {
    for (uint32_t i = 0; i < v.count; ++i) f(v.own[i]);
    if (v.extra)
      for (uint32_t i = 0; i < v.extra->moreCount; ++i) f(v.extra->more[i]);
  }
  // Drops the accesses that gone() says, and adds a.
  template <class Gone>
  void replace(Variable& v, Gone gone, const Access& a);

  static Rule* findRule(Variable& v, uint32_t key) { return v.extra ? findRule(*v.extra, key) : nullptr; }
  // dead(rule): does it not matter any more? Asked when room is short. The new rule is
  // zero but for its key.
  template <class Dead>
  Rule& addRule(Variable& v, uint32_t key, Dead dead);
  template <class F>
  static void forEachRule(Variable& v, F f);

  // REQUIRES: `to` is fresh or forgotten.
  void copy(Variable& from, Variable& to);
  void clear(Variable& v);

  Chunked<Variable, 8>& all() { return variables_; }
  size_t memoryBytes() const { return variables_.memoryBytes(); }

 private:
  static constexpr uint32_t kHashed = 16;  // tables above this many rules are hash tables

  static uint32_t room(uint32_t cls) { return static_cast<uint32_t>(BlockPool::bytesOf(cls) / sizeof(Rule)); }
  static uint32_t roomFor(uint32_t cls) {  // rules that a table may have before it grows
    return room(cls) <= kHashed ? room(cls) : room(cls) / 2;
  }
  static uint32_t hash(uint32_t key) { return key * 0x9e3779b1u >> 7; }
  static Rule* findRule(Extra& e, uint32_t key);
  Rule& place(Extra& e, uint32_t key);
  void resize(Extra& e, uint32_t rules);
  Extra& extra(Variable& v);
  void addMore(Variable& v, const Access& a);

  BlockPool& pool_;
  Chunked<Variable, 8> variables_;
};

template <class Gone>
void Variables::replace(Variable& v, Gone gone, const Access& a) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < v.count; ++i)
    if (!gone(v.own[i])) {
      if (kept != i) v.own[kept] = v.own[i];
      ++kept;
    }
  v.count = kept & 3;
  if (v.extra && v.extra->moreCount) [[unlikely]] {
    Extra& e = *v.extra;
    uint32_t left = 0;
    for (uint32_t i = 0; i < e.moreCount; ++i)
      if (!gone(e.more[i])) e.more[left++] = e.more[i];
    while (left && v.count < 2) v.own[v.count++] = e.more[--left];
    e.moreCount = left;
  }
  if (v.count < 2)
    v.own[v.count++] = a;
  else
    addMore(v, a);
}

template <class Dead>
Rule& Variables::addRule(Variable& v, uint32_t key, Dead dead) {
  Extra& e = extra(v);
  uint32_t room = e.table ? roomFor(e.tableClass) : Extra::kInline;
  if (e.rules == room) [[unlikely]] {
    Rule* rules = e.table ? e.table : e.few;
    uint32_t places = e.table ? Variables::room(e.tableClass) : Extra::kInline, left = 0;
    for (uint32_t i = 0; i < places; ++i) left += rules[i].key && !dead(rules[i]);
    if (left < e.rules) {
      for (uint32_t i = 0; i < places; ++i)
        if (rules[i].key && dead(rules[i])) rules[i].key = 0;
    }
    e.rules = left;
    resize(e, left + left / 2 + 1);
  }
  ++e.rules;
  return place(e, key);
}

template <class F>
void Variables::forEachRule(Variable& v, F f) {
  if (!v.extra) return;
  Rule* rules = v.extra->table ? v.extra->table : v.extra->few;
  uint32_t places = v.extra->table ? room(v.extra->tableClass) : Extra::kInline;
  for (uint32_t i = 0; i < places; ++i)
    if (rules[i].key) f(rules[i]);
}

inline Rule* Variables::findRule(Extra& e, uint32_t key) {
  if (!e.table) {
    for (uint32_t i = 0; i < e.rules; ++i)
      if (e.few[i].key == key) return &e.few[i];
    return nullptr;
  }
  uint32_t places = room(e.tableClass);
  if (places <= kHashed) {
    for (uint32_t i = 0; i < e.rules; ++i)
      if (e.table[i].key == key) return &e.table[i];
    return nullptr;
  }
  for (uint32_t i = hash(key);; ++i) {
    Rule& r = e.table[i & (places - 1)];
    if (r.key == key) return &r;
    if (!r.key) return nullptr;
  }
}

}  // namespace predrace::cp

#endif  // PREDRACE_ENGINES_CP_VARIABLES_H
