// History: what reports say about threads, memory and synchronisation objects.
//
// Not thread-safe. Filled as records go by, asked only when there is a report:
// keeping is one hash insertion a block, finding the block of an address looks
// at all of them.
#ifndef PREDRACE_TOOLS_ENGINE_HISTORY_H
#define PREDRACE_TOOLS_ENGINE_HISTORY_H

#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "runtime/engines/race.h"
#include "runtime/wire/record.h"

namespace predrace {

class History {
 public:
  struct Thread {
    uint32_t creator = kNone;  // kNone: the main thread, or not known
    Site site = 0;
    bool ended = false;
  };
  struct Block {
    uint64_t address, size;
    MemoryKind kind;
    uint32_t thread;  // that made it, or whose stack it is
    Site site;
    uint64_t birth;            // index of the event that came next
    uint32_t freedBy = kNone;  // kNone: alive
    Site freeSite = 0;
  };
  struct Object {
    uint64_t address = 0;
    ObjectKind kind = ObjectKind::Other;
    uint32_t thread = kNone;
    Site site = 0;
  };

  void fork(uint32_t creator, uint32_t thread, Site site) {
    Thread& t = threadOf(thread);
    t.creator = creator;
    t.site = site;
  }
  void end(uint32_t thread) { threadOf(thread).ended = true; }
  void alloc(uint32_t thread, MemoryKind kind, uint64_t address, uint64_t size, Site site, uint64_t index) {
    blocks_[address] = Block{address, size, kind, thread, site, index};
  }
  // The block that begins at the address is given back; null if none is known.
  void free(uint32_t thread, uint64_t address, Site site) {
    auto block = blocks_.find(address);
    if (block == blocks_.end() || block->second.freedBy != kNone) return;
    block->second.freedBy = thread;
    block->second.freeSite = site;
  }
  void create(uint32_t thread, uint32_t object, ObjectKind kind, uint64_t address, Site site) {
    if (object >= objects_.size()) objects_.resize(object + object / 2 + 1);
    objects_[object] = {address, kind, thread, site};
  }

  Thread thread(uint32_t id) const { return id < threads_.size() ? threads_[id] : Thread(); }
  Object object(uint32_t id) const { return id < objects_.size() ? objects_[id] : Object(); }
  // The youngest block that holds the address and is not younger than event
  // `index`; null if there is none.
  const Block* blockAt(uint64_t address, uint64_t index) const {
    const Block* best = nullptr;
    for (const auto& [begin, block] : blocks_) {
      if (address - begin >= block.size || block.birth > index) continue;
      if (best == nullptr || block.birth > best->birth) best = &block;
    }
    return best;
  }
  size_t threads() const { return threads_.size(); }

 private:
  Thread& threadOf(uint32_t id) {
    if (id >= threads_.size()) threads_.resize(id + 1);
    return threads_[id];
  }
  std::vector<Thread> threads_;
  std::vector<Object> objects_;
  absl::flat_hash_map<uint64_t, Block> blocks_;
};

}  // namespace predrace

#endif  // PREDRACE_TOOLS_ENGINE_HISTORY_H
