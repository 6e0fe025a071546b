#include "tools/engine/lowering.h"

#include <algorithm>
#include <stdexcept>

#include "absl/strings/str_cat.h"
#include "runtime/wire/session.h"

namespace predrace {

bool Lowering::bad(const Slot& s, const char* why) {
  error_ = absl::StrCat("record ", nameOf(kindOf(s)), " (", absl::Hex(s.a), " ", absl::Hex(s.b), "): ", why);
  return false;
}

void Lowering::growSites(Site site) {
  if (site >= kMaxContexts) throw std::length_error("a site outside the context tree");
  siteElements_.resize(static_cast<size_t>(site) + site / 2 + 1024);
}

void Lowering::noteRange(Site site, uint64_t address, uint64_t size) {
  if (size <= 16) return noteElement(site, static_cast<uint8_t>(size));
  noteElement(site, 0);
  siteRanges_[site] = {address, size};
}

uint32_t Lowering::atFor(uint32_t id) {
  Object& o = objectFor(id);
  if (o.at != kNone) return o.at;
  if (freeAts_.empty()) return o.at = ats_++;
  o.at = freeAts_.back();
  freeAts_.pop_back();
  return o.at;
}

Atomics::Sequence& Lowering::sequenceFor(uint32_t id) {
  Object& o = objectFor(id);
  if (o.sequence == kNone) {
    if (freeSequences_.empty()) {
      o.sequence = static_cast<uint32_t>(sequences_.size());
      sequences_.emplace_back();
    } else {
      o.sequence = freeSequences_.back();
      freeSequences_.pop_back();
    }
  }
  return sequences_[o.sequence];
}

uint32_t Lowering::channelFor(uint32_t id, uint32_t instance) {
  instance %= kInstances;
  Object& o = objectFor(id);
  o.instances = std::max(o.instances, instance + 1);
  auto [at, fresh] = channelOf_.try_emplace(static_cast<uint64_t>(id) << 32 | instance, 0);
  if (fresh) at->second = channels_.make();
  return at->second;
}

void Lowering::retire(uint32_t id) {
  Object o = objectFor(id);
  objects_[id] = Object();
  if (o.lock != kNone) locks_.retire(o.lock);
  if (o.at != kNone) {
    emitter_.engine().forgetObject(o.at);
    freeAts_.push_back(o.at);
  }
  if (o.sequence != kNone) {
    atomics_.clear(sequences_[o.sequence]);
    sequences_[o.sequence] = Atomics::Sequence();
    freeSequences_.push_back(o.sequence);
  }
  for (uint32_t instance = 0; instance < o.instances; ++instance) {
    auto at = channelOf_.find(static_cast<uint64_t>(id) << 32 | instance);
    if (at == channelOf_.end()) continue;
    channels_.unref(at->second);
    channelOf_.erase(at);
  }
}

void Lowering::atomic(uint32_t thread, const Slot& s, const Slot& more) {
  RecordKind kind = kindOf(s);
  Site site = siteOf(s);
  Order order = static_cast<Order>(argOf(s));
  Atomics::Sequence& x = sequenceFor(objectOf(s));
  if (kind != RecordKind::AtomicStore) atomics_.beforeLoad(x, thread, order, site);
  Op op = kind == RecordKind::AtomicLoad    ? Op::AtomicRead
          : kind == RecordKind::AtomicStore ? Op::AtomicWrite
                                            : Op::AtomicUpdate;
  noteRange(site, more.a, more.b);
  variables_.accessRange(more.a, more.b, [&](uint32_t v) {
    ++accesses_;
    emitter_.emit(op, thread, v, site);
  });
  if (kind == RecordKind::AtomicStore) atomics_.afterStore(x, thread, order, site);
  if (kind == RecordKind::AtomicUpdate) atomics_.afterUpdate(x, thread, order, site);
}

void Lowering::memory(uint32_t thread, const Slot& s, const Slot& more) {
  Site site = siteOf(s);
  uint32_t arg = argOf(s);
  if (kindOf(s) == RecordKind::Alloc) {
    variables_.forget(more.a, more.b + (arg >> kSlackShift));
    history_.alloc(thread, static_cast<MemoryKind>(arg & 0xff), more.a, more.b, site, emitter_.index());
    return;
  }
  history_.free(thread, more.a, site);
  if (arg & kFreeIsSilent) {
    variables_.forget(more.a, more.b);
    return;
  }
  bool noted = false;
  variables_.existing(more.a, more.b, [&](uint32_t v) {
    if (!noted) noteRange(site, more.a, more.b);
    noted = true;
    ++accesses_;
    emitter_.emit(Op::Write, thread, v, site);
  });
}

bool Lowering::takeOther(uint32_t thread, const Slot& s, const Slot& more) {
  RecordKind kind = kindOf(s);
  uint32_t object = objectOf(s), arg = argOf(s);
  Site site = siteOf(s);
  switch (kind) {
    case RecordKind::Read:
    case RecordKind::Write:
    case RecordKind::Update:
      plain(thread, s);
      break;
    case RecordKind::AtomicLoad:
    case RecordKind::AtomicStore:
    case RecordKind::AtomicUpdate:
      if (arg > static_cast<uint32_t>(Order::SeqCst)) return bad(s, "no such memory order");
      atomic(thread, s, more);
      break;
    case RecordKind::Fence:
      if (arg > static_cast<uint32_t>(Order::SeqCst)) return bad(s, "no such memory order");
      atomics_.fence(thread, static_cast<Order>(arg), site);
      break;
    case RecordKind::Acquire:
      locks_.acquire(lockFor(object), thread, site);
      break;
    case RecordKind::Release:
      locks_.release(lockFor(object), thread, site);
      break;
    case RecordKind::SharedAcquire:
      locks_.sharedAcquire(lockFor(object), thread, site);
      break;
    case RecordKind::SharedRelease:
      locks_.sharedRelease(lockFor(object), thread, site);
      break;
    case RecordKind::TryFail:
      locks_.tryFail(lockFor(object), atFor(object), thread, site);
      break;
    case RecordKind::Order:
      emitter_.emit(Op::At, thread, atFor(object), site);
      break;
    case RecordKind::Send:
      channels_.send(channelFor(object, arg), thread, site);
      break;
    case RecordKind::Receive:
      channels_.receive(channelFor(object, arg), thread, site);
      break;
    case RecordKind::Fork:
    case RecordKind::Join:
      if (arg >= kMaxThread || arg == thread) return bad(s, "no such thread");
      if (kind == RecordKind::Fork) history_.fork(thread, arg, site);
      emitter_.emit(kind == RecordKind::Fork ? Op::Fork : Op::Join, thread, arg, site);
      break;
    case RecordKind::Begin:
      if (arg >= kMaxThread) return bad(s, "no such thread");
      emitter_.emit(Op::Begin, thread, 0, site);
      break;
    case RecordKind::End:
      locks_.endThread(thread, site);
      emitter_.emit(Op::End, thread, 0, site);
      atomics_.endThread(thread);
      history_.end(thread);
      break;
    case RecordKind::Create:
      history_.create(thread, object, static_cast<ObjectKind>(arg), more.a, site);
      break;
    case RecordKind::Retire:
      retire(object);
      break;
    case RecordKind::Alloc:
    case RecordKind::Free:
      memory(thread, s, more);
      break;
    case RecordKind::None:
    case RecordKind::Count:
      return bad(s, "no such kind");
  }
  return true;
}

// A site is one instruction, hence of one size; accesses of 2, 4, 8 or 16 bytes are
// mostly aligned.
Lowering::Extent Lowering::extentAt(Site site, const Bytes& variable) const {
  uint64_t address = variable.address();
  uint64_t size = site < siteElements_.size() ? siteElements_[site] : 0;
  if (size == 0) {
    auto range = siteRanges_.find(site);
    if (range != siteRanges_.end() && address - range->second.address < range->second.size)
      return range->second;
    return {address, variable.size()};
  }
  bool aligned = (size & (size - 1)) == 0;
  return {aligned ? address & ~(size - 1) : address, size};
}

}  // namespace predrace
