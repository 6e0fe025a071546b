#include "runtime/rtl/sync_object.h"

#include <sys/mman.h>

#include "runtime/rtl/rtl.h"

namespace __predrace {

namespace {

// ---- objects by id: chunks that never move -------------------------------------------

constexpr u32 kChunk = 4096;
SyncObject* chunks[(1u << predrace::kObjectBits) / kChunk];
StaticSpinMutex objectsMutex;  // guards what follows, and chains while they lose a member
u32 objectCount = 1;           // ids in use or free; 0 is no object
SyncObject* freeObjects;

void* mapZeroed(uptr bytes) { return MmapNoReserveOrDie(bytes, "synchronisation objects"); }

SyncObject* freshObject() {
  SyncObject* o = freeObjects;
  if (o) {
    freeObjects = o->next;
    return o;
  }
  u32 id = objectCount++;
  if (!chunks[id / kChunk])
    chunks[id / kChunk] = static_cast<SyncObject*>(mapZeroed(kChunk * sizeof(SyncObject)));
  o = &chunks[id / kChunk][id % kChunk];
  o->id = id;
  return o;
}

// ---- objects by address: a radix tree over granules ----------------------------------

constexpr unsigned kLeafBits = 13, kMiddleBits = 16, kRootBits = 15;
static_assert(kLeafBits + kMiddleBits + kRootBits + predrace::kGranuleShift == 47);
using Head = atomic_uintptr_t;  // SyncObject*, first of the granule's chain
using Leaf = Head;
atomic_uintptr_t root[1u << kRootBits];  // -> array of leaves -> array of heads

// The child that a node has or, if `make`, gets; two threads may race for it.
uptr childOf(atomic_uintptr_t* entry, uptr bytes, bool make) {
  uptr child = atomic_load(entry, memory_order_acquire);
  if (LIKELY(child) || !make) return child;
  uptr made = reinterpret_cast<uptr>(mapZeroed(bytes));
  if (atomic_compare_exchange_strong(entry, &child, made, memory_order_acq_rel)) return made;
  UnmapOrDie(reinterpret_cast<void*>(made), bytes);
  return child;
}

Leaf* leafOf(u64 granule, bool make) {
  if (UNLIKELY(granule >> (kLeafBits + kMiddleBits + kRootBits))) return nullptr;
  auto* middle = reinterpret_cast<atomic_uintptr_t*>(
      childOf(&root[granule >> (kLeafBits + kMiddleBits)], sizeof(Head) << kMiddleBits, make));
  if (!middle) return nullptr;
  return reinterpret_cast<Leaf*>(
      childOf(&middle[granule >> kLeafBits & ((1u << kMiddleBits) - 1)], sizeof(Head) << kLeafBits, make));
}

Head* headOf(u64 granule, bool make) {
  Leaf* leaf = leafOf(granule, make);
  return leaf ? &leaf[granule & ((1u << kLeafBits) - 1)] : nullptr;
}

// The chain's object at an address. Another object of the granule may leave the
// chain, and come back elsewhere, while we walk: seen by its address, and then
// the walk starts again.
SyncObject* findIn(Head* head, uptr address) {
again:
  for (auto* o = reinterpret_cast<SyncObject*>(atomic_load(head, memory_order_acquire)); o;) {
    uptr here = __atomic_load_n(&o->address, __ATOMIC_ACQUIRE);
    if (here == address) return o;
    SyncObject* next = __atomic_load_n(&o->next, __ATOMIC_ACQUIRE);
    if (UNLIKELY(here >> predrace::kGranuleShift != address >> predrace::kGranuleShift ||
                 __atomic_load_n(&o->address, __ATOMIC_ACQUIRE) != here))
      goto again;
    o = next;
  }
  return nullptr;
}

SyncObject* makeObject(Head* head, uptr address, ObjectKind kind, Call& call) {
  SyncObject* o;
  {
    SpinMutexLock lock(&objectsMutex);
    if ((o = findIn(head, address))) return o;
    o = freshObject();
    o->kind = kind;
    o->owner = o->depth = 0;
    o->mutex.Init();
    o->loadSegment = 0;
    o->arrivals = o->departures = 0;
    o->next = reinterpret_cast<SyncObject*>(atomic_load(head, memory_order_relaxed));
    __atomic_store_n(&o->address, address, __ATOMIC_RELEASE);
    atomic_store(head, reinterpret_cast<uptr>(o), memory_order_release);
  }
  // Atomics say their address with every operation.
  if (kind != ObjectKind::Atomic)
    tellRange(call.thread(), RecordKind::Create, o, call.pc(), static_cast<u32>(kind), address, 0);
  return o;
}

void retire(Head* head, SyncObject* o, Call& call) {
  // The ticket is the object's last: whoever gets the id next continues from it.
  if (call.tells()) tellSync(call.thread(), RecordKind::Retire, o, call.pc(), 0);
  SpinMutexLock lock(&objectsMutex);
  auto* at = reinterpret_cast<SyncObject*>(atomic_load(head, memory_order_relaxed));
  if (at == o) {
    atomic_store(head, reinterpret_cast<uptr>(o->next), memory_order_release);
  } else {
    while (at && at->next != o) at = at->next;
    if (!at) return;  // another thread was faster
    __atomic_store_n(&at->next, o->next, __ATOMIC_RELEASE);
  }
  __atomic_store_n(&o->address, 0, __ATOMIC_RELEASE);
  o->next = freeObjects;
  freeObjects = o;
}

}  // namespace

SyncObject* objectAt(const volatile void* p, ObjectKind kind, Call& call) {
  uptr address = reinterpret_cast<uptr>(p);
  Head* head = headOf(address >> predrace::kGranuleShift, true);
  if (SyncObject* o = findIn(head, address)) {
    if (LIKELY(o->kind == kind)) return o;
    retire(head, o, call);
  }
  return makeObject(head, address, kind, call);
}

SyncObject* findObject(const volatile void* p) {
  uptr address = reinterpret_cast<uptr>(p);
  Head* head = headOf(address >> predrace::kGranuleShift, false);
  return head ? findIn(head, address) : nullptr;
}

void retireObject(const volatile void* p, Call& call) {
  uptr address = reinterpret_cast<uptr>(p);
  Head* head = headOf(address >> predrace::kGranuleShift, false);
  if (!head) return;
  if (SyncObject* o = findIn(head, address)) retire(head, o, call);
}

void retireObjectsIn(uptr address, uptr size, Call& call) {
  u64 end = (address + size + 7) >> predrace::kGranuleShift;
  for (u64 granule = address >> predrace::kGranuleShift; granule < end;) {
    u64 leafEnd = ((granule >> kLeafBits) + 1) << kLeafBits;
    u64 stop = end < leafEnd ? end : leafEnd;
    if (Leaf* leaf = leafOf(granule, false)) {
      for (; granule < stop; ++granule) {
        Head* head = &leaf[granule & ((1u << kLeafBits) - 1)];
        while (auto* o = reinterpret_cast<SyncObject*>(atomic_load(head, memory_order_acquire)))
          retire(head, o, call);
      }
    }
    granule = stop;
  }
}

SyncObject* newObject(ObjectKind kind) {
  SpinMutexLock lock(&objectsMutex);
  SyncObject* o = freshObject();
  o->kind = kind;
  o->owner = o->depth = 0;
  o->address = 0;
  o->mutex.Init();
  return o;
}

void deleteObject(SyncObject* o) {
  SpinMutexLock lock(&objectsMutex);
  o->next = freeObjects;
  freeObjects = o;
}

SyncObject* objectById(u32 id) { return &chunks[id / kChunk][id % kChunk]; }

u32 numObjects() { return objectCount; }

SyncObject* memoryObject() { return objectById(predrace::kMemoryObject); }

u32 nextTicket(SyncObject* object) {
  return atomic_fetch_add(&object->ticket, 1, memory_order_acq_rel) & predrace::kTicketMask;
}

void lockObjects() { objectsMutex.Lock(); }
void unlockObjects() { objectsMutex.Unlock(); }

void restartTickets() {
  forEachObject([](SyncObject* o) {
    atomic_store(&o->ticket, 0, memory_order_relaxed);
    o->mutex.Init();  // whoever held it, or was in a barrier, is not in this process
    o->loadSegment = 0;
    o->departures = o->arrivals;
  });
}

void initialiseObjects() {
  SyncObject* memory = newObject(ObjectKind::Other);
  CHECK_EQ(memory->id, predrace::kMemoryObject);
}

}  // namespace __predrace
