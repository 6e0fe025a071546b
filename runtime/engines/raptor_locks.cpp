#include "runtime/engines/raptor_locks.h"

#include <algorithm>

#include "absl/container/flat_hash_set.h"

namespace predrace::raptor {

uint32_t Locks::makePlain() {
  if (!freePlain_.empty()) {
    uint32_t plain = freePlain_.back();
    freePlain_.pop_back();
    return plain;
  }
  owners_.locks.emplace_back();
  return static_cast<uint32_t>(owners_.locks.size() - 1);
}

// In the order in which they are taken.
std::vector<uint32_t> Locks::plainsOf(uint32_t thread, uint32_t lock, bool shared) {
  if (lock >= locks_.size()) locks_.resize(lock + 1);
  TraceLock& l = locks_[lock];
  if (l.main == kNone) l.main = makePlain();
  if (shared) return {l.readers.at(thread)};
  std::vector<uint32_t> out{l.main};
  for (auto [t, plain] : l.readers) out.push_back(plain);
  return out;
}

std::optional<Locks::Copied> Locks::addReader(uint32_t lock, uint32_t thread) {
  uint32_t from = plainsOf(thread, lock, false).front();
  if (locks_[lock].readers.contains(thread)) return std::nullopt;
  uint32_t to = makePlain();
  locks_[lock].readers[thread] = to;
  owners_.locks[to] = owners_.locks[from];
  acquires_ += owners_.locks[to].owners.size();
  owners_.forAll([&](Locksets& rho) { rho.copyLock(from, to); });
  return Copied{from, to};
}

void Locks::acquire(uint32_t thread, uint32_t lock, bool shared) {
  if (thread >= held_.size()) held_.resize(thread + 1);
  for (uint32_t plain : plainsOf(thread, lock, shared)) {
    acquirePlain(thread, plain);
    held_[thread].push_back({{plain, owners_.locks[plain].sections}, lock, shared});
  }
}

// Algorithm 3.
void Locks::acquirePlain(uint32_t thread, uint32_t plain) {
  owners_.forAll([&](Locksets& rho) { rho.acquire(plain, thread); });
  PlainLock& l = owners_.locks[plain];
  l.open = true;
  l.owners.push_back({++l.sections, Locksets(thread)});  // lines 18-19
  ++acquires_;
}

void Locks::release(uint32_t thread, uint32_t lock, bool shared) {
  if (thread >= held_.size()) return;
  std::vector<Held>& held = held_[thread];
  for (size_t i = held.size(); i-- > 0;) {
    if (held[i].lock != lock || held[i].shared != shared) continue;
    Section m = held[i].section;
    held.erase(held.begin() + static_cast<std::ptrdiff_t>(i));
    releasePlain(thread, m);
  }
  if (acquires_ >= sweepAt_) sweep();
}

void Locks::releaseAll(uint32_t thread) {
  if (thread >= held_.size()) return;
  while (!held_[thread].empty()) release(thread, held_[thread].back().lock, held_[thread].back().shared);
}

// Algorithm 4 for rho = m^l alone; `offer` is what line 4 and 7 then ask for.
void Locks::preRelease(Section m, uint32_t thread, Offer& offer) {
  PlainLock& l = owners_.locks[m.lock];
  for (bool changed = true; changed;) {
    offer = {.reached = l.folded, .conditions = {}};
    for (const AcquireOwner& o : l.owners) o.sets.offer(o.index, thread, offer);
    changed = false;
    for (AcquireOwner& o : l.owners) changed |= o.sets.preRelease(m.lock, offer);
  }
}

// Algorithm 4, then 5. With the offer made, no rho depends on another: one round does both.
void Locks::releasePlain(uint32_t thread, Section m) {
  Offer offer;
  preRelease(m, thread, offer);
  owners_.forAll([&](Locksets& rho) {
    rho.preRelease(m.lock, offer);
    rho.release(m, thread);
  });
  owners_.locks[m.lock].open = false;
}

std::vector<Section> Locks::heldBy(uint32_t thread) const {
  std::vector<Section> out;
  if (thread < held_.size())
    for (const Held& h : held_[thread]) out.push_back(h.section);
  return out;
}

// Algorithm 2, line 5, for all l <= j and not for m^j only: rule (c) orders them too, and m^j may
// have been swept.
void Locks::conflict(Section m, uint32_t t) {
  for (AcquireOwner& o : owners_.locks[m.lock].owners)
    if (o.index <= m.index) o.sets.addCp(thread(t));
}

void Locks::sweep() {
  absl::flat_hash_set<uint64_t> needed;
  std::vector<const Locksets*> todo;
  for (const AccessOwner& o : owners_.accesses) todo.push_back(&o.sets);
  for (const PlainLock& l : owners_.locks)
    if (l.open && !l.owners.empty()) todo.push_back(&l.owners.back().sets);
  auto need = [&](Section s) {
    if (!needed.insert(uint64_t{s.lock} << 32 | s.index).second) return;
    for (const AcquireOwner& o : owners_.locks[s.lock].owners)
      if (o.index == s.index) todo.push_back(&o.sets);
  };
  while (!todo.empty()) {
    const Locksets* rho = todo.back();
    todo.pop_back();
    rho->eachSection(need);
  }
  acquires_ = 0;
  for (uint32_t m = 0; m < owners_.locks.size(); ++m) {
    PlainLock& l = owners_.locks[m];
    uint32_t open = l.open ? l.sections : 0;
    std::erase_if(l.owners, [&](const AcquireOwner& o) {
      return o.index != open && !needed.contains(uint64_t{m} << 32 | o.index);
    });
    acquires_ += l.owners.size();
  }
  sweepAt_ = 2 * acquires_ + 64;
}

std::vector<uint32_t> Locks::forget(uint32_t number) {
  if (number >= locks_.size() || locks_[number].main == kNone) return {};
  std::vector<uint32_t> plains = plainsOf(0, number, false);
  locks_[number] = {};
  for (uint32_t plain : plains) {
    owners_.forAll([&](Locksets& rho) { rho.erase(lock(plain)); });
    acquires_ -= owners_.locks[plain].owners.size();
    owners_.locks[plain] = {};
    freePlain_.push_back(plain);
  }
  return plains;
}

uint64_t Locks::fold() {
  uint64_t folded = 0;
  for (PlainLock& l : owners_.locks) {
    folded += l.owners.size();
    std::vector<AcquireOwner>().swap(l.owners);
    l.folded = l.sections;
  }
  acquires_ = 0;
  return folded;
}

size_t Locks::memoryBytes() const {
  size_t bytes = owners_.locks.capacity() * sizeof(PlainLock) + locks_.capacity() * sizeof(TraceLock) +
                 freePlain_.capacity() * sizeof(uint32_t) + held_.capacity() * sizeof(held_[0]);
  for (const TraceLock& l : locks_) bytes += l.readers.size() * sizeof(*l.readers.begin());
  for (const PlainLock& l : owners_.locks)
    for (const AcquireOwner& o : l.owners) bytes += o.sets.memoryBytes() + sizeof(o.index);
  return bytes;
}

}  // namespace predrace::raptor
