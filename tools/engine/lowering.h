// Lowering: records of the wire become events of the engine.
//
// Not thread-safe. Takes records in the merger's order. Every number the engine
// sees (variables, locks, channels, objects) is given out and taken back here or
// in the parts below; thread numbers are the runtime's own.
//
// Hard order by name: channel (object, instance) of Send and Receive records.
// Instances count modulo kInstances: a channel that is used again also carries
// what it carried then, long ago, which only adds order.
#ifndef PREDRACE_TOOLS_ENGINE_LOWERING_H
#define PREDRACE_TOOLS_ENGINE_LOWERING_H

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "runtime/wire/record.h"
#include "tools/engine/atomics.h"
#include "tools/engine/history.h"
#include "tools/engine/locks.h"
#include "tools/engine/variables.h"

namespace predrace {

class Lowering {
 public:
  explicit Lowering(Engine& engine)
      : emitter_(engine),
        variables_(emitter_),
        channels_(emitter_),
        atomics_(channels_),
        locks_(emitter_, channels_) {}

  // `more` is the second slot of a Range record. False: the record makes no sense,
  // error() says why, and nothing more should be taken.
  bool take(uint32_t thread, const Slot& s, const Slot& more) {
    RecordKind kind = kindOf(s);
    if (kind >= RecordKind::Read && kind <= RecordKind::Update) {
      plain(thread, s);
      return true;
    }
    return takeOther(thread, s, more);
  }

  // What the merger says of slots to come (merger.h). `expect(event)` is told of
  // accesses 12 records before they come.
  template <class Expect>
  void ahead(uint32_t thread, const Slot& near, const Slot& far, Expect&& expect) const {
    if (kindOf(far) <= RecordKind::Update) variables_.prefetch(addressOf(far));
    if (kindOf(near) > RecordKind::Update) return;
    uint32_t v = variables_.known(addressOf(near), lengthOf(near));
    if (v == 0) return;
    expect(Event{kindOf(near) == RecordKind::Read ? Op::Read : Op::Write, thread, v - 1, 0, 0});
  }

  // The program is ending; records that follow may be a run cut short.
  void ending() { locks_.ending(); }

  // The bytes that the code at a site accesses when it touches the variable's.
  struct Extent {
    uint64_t address = 0, size = 0;
  };
  Extent extentAt(Site site, const Bytes& variable) const;

  const History& history() const { return history_; }
  const Variables& variables() const { return variables_; }
  const Locks& locks() const { return locks_; }
  uint64_t events() const { return emitter_.index(); }
  uint64_t accesses() const { return accesses_; }
  const std::string& error() const { return error_; }
  size_t memoryBytes() const { return variables_.memoryBytes(); }

 private:
  static constexpr uint32_t kInstances = 1024;
  static constexpr uint32_t kMaxThread = 1u << 24;  // more is nonsense on the wire
  struct Object {
    uint32_t lock = kNone;
    uint32_t at = kNone;
    uint32_t sequence = kNone;  // index in sequences_
    uint32_t instances = 0;     // of its channels, largest + 1
  };

  void plain(uint32_t thread, const Slot& s) {
    RecordKind kind = kindOf(s);
    Op op = kind == RecordKind::Read ? Op::Read : kind == RecordKind::Write ? Op::Write : Op::Update;
    Site site = siteOf(s);
    uint64_t address = addressOf(s), length = lengthOf(s);
    ++accesses_;
    if (uint8_t element = elementOf(s)) {
      noteElement(site, element);
    } else {
      noteRange(site, address, length);
    }
    auto use = [&](uint32_t v) { emitter_.emit(op, thread, v, site); };
    unsigned place = address & 7;
    if (place + length <= 8) {
      variables_.access(address >> 3, static_cast<uint8_t>(((1u << length) - 1) << place), use);
    } else {
      variables_.accessRange(address, length, use);
    }
  }
  bool takeOther(uint32_t thread, const Slot& s, const Slot& more);
  void atomic(uint32_t thread, const Slot& s, const Slot& more);
  void memory(uint32_t thread, const Slot& s, const Slot& more);
  void retire(uint32_t object);
  bool bad(const Slot& s, const char* why);
  void noteElement(Site site, uint8_t bytes) {
    if (__builtin_expect(site >= siteElements_.size(), 0)) growSites(site);
    siteElements_[site] = bytes;
  }
  void noteRange(Site site, uint64_t address, uint64_t size);
  void growSites(Site site);

  Object& objectFor(uint32_t id) {
    if (id >= objects_.size()) objects_.resize(id + id / 2 + 1);
    return objects_[id];
  }
  uint32_t lockFor(uint32_t id) {
    Object& o = objectFor(id);
    if (o.lock == kNone) o.lock = locks_.make(id);
    return o.lock;
  }
  uint32_t atFor(uint32_t id);
  Atomics::Sequence& sequenceFor(uint32_t id);
  uint32_t channelFor(uint32_t id, uint32_t instance);

  Emitter emitter_;
  Variables variables_;
  Channels channels_;
  Atomics atomics_;
  Locks locks_;
  History history_;
  std::vector<Object> objects_;  // by the runtime's id
  std::vector<Atomics::Sequence> sequences_;
  std::vector<uint32_t> freeSequences_, freeAts_;
  uint32_t ats_ = 0;
  absl::flat_hash_map<uint64_t, uint32_t> channelOf_;  // object << 32 | instance
  std::vector<uint8_t> siteElements_;                  // by site: size of its last access, 0: a range
  absl::flat_hash_map<Site, Extent> siteRanges_;       // by site: its last range
  uint64_t accesses_ = 0;
  std::string error_;
};

}  // namespace predrace

#endif  // PREDRACE_TOOLS_ENGINE_LOWERING_H
