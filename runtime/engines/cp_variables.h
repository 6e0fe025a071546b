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
// One cache line per variable, and beside it one more where locks are held. Not thread-safe.
#ifndef PREDRACE_ENGINES_CP_VARIABLES_H
#define PREDRACE_ENGINES_CP_VARIABLES_H

#include <cstddef>
#include <cstdint>

#include "runtime/engines/chunked_pairs.h"
#include "runtime/engines/cp_unknown.h"
#include "runtime/engines/event.h"

namespace predrace::cp {

enum Kind : uint8_t { PlainWrite, PlainRead, AtomicWrite, AtomicRead };
constexpr uint8_t bit(Kind k) { return static_cast<uint8_t>(1u << k); }
constexpr Kind kindOf(Op op) {
  constexpr Kind kKinds[] = {PlainRead, PlainWrite, PlainWrite, AtomicRead, AtomicWrite, AtomicWrite};
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

// The rules of one variable: a few here, more in a table, many in a hash table.
struct Rules {
  static constexpr uint32_t kFew = 3;
  Rule few[kFew] = {};
  Rule* table = nullptr;  // instead of `few`
  uint32_t count = 0;
  uint32_t tableClass = 0;
};
static_assert(sizeof(Rules) == 64, "one cache line");

// Accesses beyond the variable's own two.
struct MoreAccesses {
  uint32_t count, cls;
  Access accesses[];
};

struct Variable {
  // The latest access: if that lane comes again in the same segment (nothing but accesses
  // in between) with a kind in `done`, there is nothing new to say.
  uint32_t segment = 0;
  uint16_t lane = 0;
  uint8_t done = 0;
  uint8_t count : 2 = 0;    // of own
  bool raced : 1 = false;   // a race on it was reported
  bool queued : 1 = false;  // checks of it are waiting
  MoreAccesses* more = nullptr;
  Access own[2];
};
static_assert(sizeof(Variable) == 64, "one cache line");

class Variables {
 public:
  explicit Variables(BlockPool& pool) : pool_(pool) {}

  Variable& operator[](uint32_t x) { return all_.first(x); }
  Variable* find(uint32_t x) { return all_.findFirst(x); }
  // May move other variables; so does the next.
  Rules& rules(uint32_t x) { return all_.pair(x).second; }
  struct Found {
    Variable& variable;
    Rules* rules;  // null if not wanted
  };
  Found access(uint32_t x, bool withRules) {
    if (!withRules) return {all_.first(x), nullptr};
    auto& pair = all_.pair(x);
    return {pair.first, &pair.second};
  }
  // It will be accessed soon.
  void expect(uint32_t x) { all_.prefetch(x); }
  // Even sooner: the variable itself is here.
  void expectMore(uint32_t x) {
    if (const Variable* v = all_.findFirst(x)) __builtin_prefetch(v->more, 1);
  }

  template <class F>
  static void forEach(Variable& v, F f) {
    for (uint32_t i = 0; i < v.count; ++i) f(v.own[i]);
    if (v.more) [[unlikely]]
      for (uint32_t i = 0; i < v.more->count; ++i) f(v.more->accesses[i]);
  }
  // Drops the accesses that gone() says, and adds one, for the caller to fill.
  template <class Gone>
  Access& replace(Variable& v, Gone gone);

  // The rules of a lock, by class; null where there is none.
  struct OfLock {
    Rule* classes[3];
  };
  static OfLock findRules(Rules& rules, uint32_t lock);
  static Rule* findRule(Rules& rules, uint32_t key);
  // dead(rule): does it not matter any more? Asked when room is short. The new rule is
  // zero but for its key; others may move.
  template <class Dead>
  Rule& addRule(Rules& rules, uint32_t key, Dead dead);
  template <class F>
  static void forEachRule(Rules& rules, F f);
  // Drops all dead rules of all variables.
  template <class Dead>
  void prune(Dead dead);

  // REQUIRES: from != to.
  void copy(uint32_t from, uint32_t to);
  void clear(uint32_t x);

  // All variables that may have accesses or rules, in chunks of kChunk.
  static constexpr uint32_t kChunk = 256;
  size_t chunks() const { return all_.chunks(); }
  bool has(size_t chunk) const { return all_.has(chunk); }
  void dropChunk(size_t chunk) {
    for (uint32_t i = 0; i < kChunk; ++i) clear(static_cast<uint32_t>(chunk) * kChunk + i);
    all_.drop(chunk);
  }
  size_t memoryBytes() const { return all_.memoryBytes(); }

 private:
  static constexpr uint32_t kHashed = 16;  // tables above this many rules are hash tables

  static uint32_t room(uint32_t cls) { return static_cast<uint32_t>(BlockPool::bytesOf(cls) / sizeof(Rule)); }
  static uint32_t roomFor(uint32_t cls) {  // rules that a table may have before it grows
    return room(cls) <= kHashed ? room(cls) : room(cls) / 2;
  }
  static uint32_t hash(uint32_t key) { return key * 0x9e3779b1u >> 7; }
  // Where rules are without order: [0, count) of this.
  static Rule* line(Rules& rules) { return rules.table ? rules.table : rules.few; }
  static bool hashed(const Rules& rules) { return rules.table && room(rules.tableClass) > kHashed; }
  static uint32_t places(const Rules& rules) { return rules.table ? room(rules.tableClass) : Rules::kFew; }

  Rule& place(Rules& rules, uint32_t key);
  void resize(Rules& rules, uint32_t count);
  Access& addMore(Variable& v);

  BlockPool& pool_;
  ChunkedPairs<Variable, Rules, 8> all_;
};

template <class Gone>
Access& Variables::replace(Variable& v, Gone gone) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < v.count; ++i)
    if (!gone(v.own[i])) {
      if (kept != i) v.own[kept] = v.own[i];
      ++kept;
    }
  v.count = kept & 3;
  if (v.more) [[unlikely]] {
    MoreAccesses& m = *v.more;
    uint32_t left = 0;
    for (uint32_t i = 0; i < m.count; ++i)
      if (!gone(m.accesses[i])) m.accesses[left++] = m.accesses[i];
    while (left && v.count < 2) v.own[v.count++] = m.accesses[--left];
    m.count = left;
  }
  return v.count < 2 ? v.own[v.count++] : addMore(v);
}

template <class Dead>
Rule& Variables::addRule(Rules& rules, uint32_t key, Dead dead) {
  uint32_t room = rules.table ? roomFor(rules.tableClass) : Rules::kFew;
  if (rules.count == room) [[unlikely]] {
    Rule* all = line(rules);
    uint32_t left = 0;
    for (uint32_t i = 0, n = places(rules); i < n; ++i) {
      if (all[i].key && dead(all[i])) all[i].key = 0;
      left += all[i].key != 0;
    }
    rules.count = left;
    resize(rules, left + left / 2 + 1);
  }
  ++rules.count;
  return place(rules, key);
}

template <class F>
void Variables::forEachRule(Rules& rules, F f) {
  Rule* all = line(rules);
  for (uint32_t i = 0, n = places(rules); i < n; ++i)
    if (all[i].key) f(all[i]);
}

template <class Dead>
void Variables::prune(Dead dead) {
  for (uint32_t x = 0; x < all_.chunks() * kChunk; ++x) {
    Rules* rules = all_.findSecond(x);
    if (!rules) continue;
    uint32_t left = 0;
    forEachRule(*rules, [&](Rule& r) {
      if (dead(r))
        r.key = 0;
      else
        ++left;
    });
    if (left != rules->count) resize(*rules, left);
  }
}

inline Rule* Variables::findRule(Rules& rules, uint32_t key) {
  if (!hashed(rules)) [[likely]] {
    Rule* all = line(rules);
    for (uint32_t i = 0; i < rules.count; ++i)
      if (all[i].key == key) return &all[i];
    return nullptr;
  }
  uint32_t mask = room(rules.tableClass) - 1;
  for (uint32_t i = hash(key);; ++i) {
    Rule& r = rules.table[i & mask];
    if (r.key == key) return &r;
    if (!r.key) return nullptr;
  }
}

inline Variables::OfLock Variables::findRules(Rules& rules, uint32_t lock) {
  OfLock out{};
  if (!hashed(rules)) [[likely]] {
    Rule* all = line(rules);
    for (uint32_t i = 0; i < rules.count; ++i)
      if (all[i].lock() == lock) out.classes[all[i].key & 3] = &all[i];
  } else {
    for (Class c : {Writes, PlainReads, AtomicReads}) out.classes[c] = findRule(rules, Rule::keyOf(lock, c));
  }
  return out;
}

}  // namespace predrace::cp

#endif  // PREDRACE_ENGINES_CP_VARIABLES_H
