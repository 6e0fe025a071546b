// Records: what instrumented threads tell the engine process.
//
// Freestanding C++20: included by the runtime inside the user's program (no
// libc, no libstdc++) and by the engine process.
//
// Invariants
//  (1) A thread's records are in its program order within one ring.
//  (2) Records of different rings are ordered only by tickets: every record
//      with a non-zero object carries that object's next ticket (mod 2^28),
//      taken at a moment when the operation itself was in force (a lock is
//      held, a block is not yet given back, ...). Per object, the engine takes
//      records in ticket order. Moments are points of real time, so an order
//      that respects all rings and all tickets always exists.
//  (3) Plain accesses carry no ticket. Where two of them are unordered by the
//      rest, their order in the merged stream says nothing.
#ifndef PREDRACE_WIRE_RECORD_H
#define PREDRACE_WIRE_RECORD_H

#include <stdint.h>

namespace predrace {

enum class RecordKind : uint8_t {
  None = 0,  // so that a slot never written is never a record
#define PREDRACE_RECORD(name, slots, form, what) name,
#include "records.inc"
  Count
};

enum class RecordForm : uint8_t { Access, Sync, Range };

enum class ObjectKind : uint8_t { Mutex, RwLock, CondVar, Atomic, Thread, Once, Other };
enum class MemoryKind : uint8_t { Heap, Stack, Tls, Mapping };

// The arg of an Alloc record: above the MemoryKind, how many bytes behind its size
// belong to the block too, because the allocator rounded up.
constexpr unsigned kSlackShift = 16;
constexpr uint32_t kMaxSlack = 0xffff;

// The arg of a Free record: set when code that we did not instrument frees, so
// that the free resets history but is not an access that could race.
constexpr uint32_t kFreeIsSilent = 1u << 8;  // low byte: MemoryKind

// Memory orders as C++ numbers them (memory_order_relaxed is 0).
enum class Order : uint8_t { Relaxed, Consume, Acquire, Release, AcqRel, SeqCst };
constexpr bool acquires(Order o) { return o != Order::Relaxed && o != Order::Release; }
constexpr bool releases(Order o) { return o >= Order::Release; }

// A site is a node of the session's context tree (session.h): the access's own
// program counter below the call context it ran in. 0 means unknown.
using Site = uint32_t;

struct Slot {
  uint64_t a = 0;
  uint64_t b = 0;
};
static_assert(sizeof(Slot) == 16);

constexpr unsigned kGranuleShift = 3;  // shadow and analysis look at memory in granules of 8 bytes
constexpr unsigned kObjectBits = 28;
constexpr unsigned kTicketBits = 28;
constexpr uint32_t kTicketMask = (1u << kTicketBits) - 1;

// Object 1 is the memory: an Alloc or Free record takes its ticket, so that in the
// merged order memory is used again only after it was given back. One for all:
// an allocator merges and splits blocks, so no part of the address tells which
// release a reuse must follow.
constexpr uint32_t kMemoryObject = 1;

// Accesses of `element` bytes each (0: one access of all) that together cover `length`
// bytes from `address`, by the code at one site, with nothing else of the thread
// between them. A sweep over an array is one record.
constexpr uint32_t kMaxAccessLength = ~0u >> 1;
constexpr Slot accessSlot(RecordKind kind, uint64_t address, uint32_t length, uint8_t element, Site site) {
  return {static_cast<uint64_t>(kind) | static_cast<uint64_t>(element) << 8 | address << 16,
          site | static_cast<uint64_t>(length) << 32};
}
constexpr Slot syncSlot(RecordKind kind, uint32_t object, uint32_t ticket, Site site, uint32_t arg) {
  return {static_cast<uint64_t>(kind) | static_cast<uint64_t>(object) << 8 |
              static_cast<uint64_t>(ticket & kTicketMask) << (8 + kObjectBits),
          site | static_cast<uint64_t>(arg) << 32};
}
constexpr Slot rangeSlot(uint64_t address, uint64_t size) { return {address, size}; }

constexpr RecordKind kindOf(const Slot& s) { return static_cast<RecordKind>(s.a & 0xff); }
constexpr Site siteOf(const Slot& s) { return static_cast<Site>(s.b); }
// Access form
constexpr uint8_t elementOf(const Slot& s) { return static_cast<uint8_t>(s.a >> 8); }
constexpr uint64_t addressOf(const Slot& s) { return s.a >> 16; }
constexpr uint32_t lengthOf(const Slot& s) { return static_cast<uint32_t>(s.b >> 32); }
// Sync and Range form
constexpr uint32_t objectOf(const Slot& s) { return s.a >> 8 & ((1u << kObjectBits) - 1); }
constexpr uint32_t ticketOf(const Slot& s) { return static_cast<uint32_t>(s.a >> (8 + kObjectBits)); }
constexpr uint32_t argOf(const Slot& s) { return static_cast<uint32_t>(s.b >> 32); }

constexpr unsigned slotsOf(RecordKind k) {
  constexpr unsigned kSlots[] = {
      1,
#define PREDRACE_RECORD(name, slots, form, what) slots,
#include "records.inc"
  };
  return kSlots[static_cast<unsigned>(k)];
}
constexpr RecordForm formOf(RecordKind k) {
  constexpr RecordForm kForms[] = {
      RecordForm::Sync,
#define PREDRACE_RECORD(name, slots, form, what) RecordForm::form,
#include "records.inc"
  };
  return kForms[static_cast<unsigned>(k)];
}
constexpr const char* nameOf(RecordKind k) {
  constexpr const char* kNames[] = {
      "None",
#define PREDRACE_RECORD(name, slots, form, what) #name,
#include "records.inc"
  };
  return kNames[static_cast<unsigned>(k)];
}

}  // namespace predrace

#endif  // PREDRACE_WIRE_RECORD_H
