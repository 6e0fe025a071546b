// Telling: records into the calling thread's ring.
//
// While the program has one thread (state Alone) only what reports need later is
// told: objects, memory. The locks that it takes meanwhile are remembered, and
// told when the engine starts: those that it still holds then.
#include "runtime/rtl/engine_process.h"
#include "runtime/rtl/rtl.h"

namespace __predrace {

using predrace::kRingSlots;

// ---- locks held while alone ----------------------------------------------------------

namespace {

struct HeldLock {
  SyncObject* object;
  RecordKind kind;
  uptr pc;
};
constexpr unsigned kMaxHeldAlone = 256;
HeldLock heldAlone[kMaxHeldAlone];
unsigned heldAloneCount;

// False: too many to remember.
bool rememberAlone(RecordKind kind, SyncObject* object, uptr pc) {
  if (kind == RecordKind::Acquire || kind == RecordKind::SharedAcquire) {
    if (heldAloneCount == kMaxHeldAlone) return false;
    heldAlone[heldAloneCount++] = {object, kind, pc};
  } else if (kind == RecordKind::Release || kind == RecordKind::SharedRelease) {
    for (unsigned i = heldAloneCount; i-- > 0;) {
      if (heldAlone[i].object != object) continue;
      for (; i + 1 < heldAloneCount; ++i) heldAlone[i] = heldAlone[i + 1];
      --heldAloneCount;
      break;
    }
  }
  return true;
}

bool isToldAlone(RecordKind kind) { return kind == RecordKind::Create || kind == RecordKind::Retire; }

// Every so many slots a writer looks whether the engine sleeps.
constexpr u64 kBellInterval = kRingSlots / 8;
static_assert(kRingSlots % kBellInterval == 0);

ALWAYS_INLINE void maybeRingBell(ThreadState* t, unsigned slots) {
  if (UNLIKELY(t->ring.head() % kBellInterval < slots) &&
      __atomic_load_n(&session->sleeping, __ATOMIC_RELAXED))
    ringBell();
}

ALWAYS_INLINE bool haveRoom(ThreadState* t, unsigned slots) {
  return LIKELY(t->ring.fits(slots)) || waitForRoom(t, slots);
}

}  // namespace

void tellHeldAlone(ThreadState* t) {
  for (unsigned i = 0; i < heldAloneCount; ++i)
    tellSync(t, heldAlone[i].kind, heldAlone[i].object, heldAlone[i].pc, 0);
  heldAloneCount = 0;
}

void rememberHeldBy(ThreadState* t) {
  heldAloneCount = 0;
  forEachObject([t](SyncObject* o) {
    if (o->owner == t->id + 1) rememberAlone(RecordKind::Acquire, o, 0);
  });
}

// ---- room in the ring ----------------------------------------------------------------

bool waitForRoom(ThreadState* t, unsigned n) {
  if (state() == RunState::Alone) {
    startEngine();
    if (state() == RunState::Off) return false;
  }
  predrace::Ring* ring = t->ring.ring();
  for (unsigned spins = 0; state() == RunState::Running; ++spins) {
    if (t->ring.fits(n)) return true;
    ringBell();
    if (spins < 64) {
      internal_sched_yield();
      continue;
    }
    __atomic_store_n(&ring->waiting, 1, __ATOMIC_SEQ_CST);
    u32 seen = __atomic_load_n(&ring->tailWake, __ATOMIC_SEQ_CST);
    bool fits = t->ring.fits(n);
    if (!fits) futexWait(&ring->tailWake, seen, 100);
    __atomic_store_n(&ring->waiting, 0, __ATOMIC_RELAXED);
    if (fits) return true;
    obeyHalt();
    if (!engineIsAlive()) giveUp("the engine process died; the rest of the run is unchecked");
  }
  return false;
}

// ---- records -------------------------------------------------------------------------

void tellAccess(ThreadState* t, RecordKind kind, uptr address, u32 length, u8 element, uptr pc) {
  Site site = siteOf(t, pc);
  // Right behind the last one, by the same code: the same record.
  u64 code = static_cast<u64>(site) << 16 | static_cast<u64>(element) << 8 | static_cast<u64>(kind);
  if (t->openEnd == address && t->openCode == code && t->ring.hasOpen() && length < t->openRoom) {
    t->ring.lengthenOpen(length);
    t->openEnd += length;
    t->openRoom -= length;
    return;
  }
  if (!haveRoom(t, 1)) return;
  t->ring.pushOpen(predrace::accessSlot(kind, address, length, element, site));
  t->openEnd = address + length;
  t->openCode = code;
  t->openRoom = predrace::kMaxAccessLength - length;
  maybeRingBell(t, 1);
}

void tellSync(ThreadState* t, RecordKind kind, SyncObject* object, uptr pc, u32 arg) {
  if (UNLIKELY(state() != RunState::Running) && !isToldAlone(kind)) {
    if (state() == RunState::Off || rememberAlone(kind, object, pc)) return;
    startEngine();
    if (state() == RunState::Off) return;
  }
  tellSyncAt(t, kind, object, siteOf(t, pc), arg);
}

void tellSyncAt(ThreadState* t, RecordKind kind, SyncObject* object, Site site, u32 arg) {
  // Room first: a ticket should not wait for it.
  if (!haveRoom(t, 1)) return;
  u32 ticket = object ? nextTicket(object) : 0;
  t->ring.push(predrace::syncSlot(kind, object ? object->id : 0, ticket, site, arg));
  maybeRingBell(t, 1);
  if (UNLIKELY(session->halt)) obeyHalt();
}

void tellRange(ThreadState* t, RecordKind kind, SyncObject* object, uptr pc, u32 arg, uptr address,
               uptr size) {
  Site site = siteOf(t, pc);
  if (!haveRoom(t, 2)) return;
  u32 ticket = object ? nextTicket(object) : 0;
  t->ring.push(predrace::syncSlot(kind, object ? object->id : 0, ticket, site, arg),
               predrace::rangeSlot(address, size));
  maybeRingBell(t, 2);
}

void tellMemory(ThreadState* t, RecordKind kind, u32 arg, uptr address, uptr size, uptr pc) {
  tellRange(t, kind, memoryObject(), pc, arg, address, size);
}

}  // namespace __predrace
