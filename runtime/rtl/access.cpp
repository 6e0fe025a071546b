// The access path: what instrumented code calls when its inline look at the
// shadow word did not settle an access. Only hot code here.
//
// An access is dropped, i.e. not told to the engine, when
//  (1) the thread told the same or a stronger access to these bytes in this very
//      segment: its shadow word says so or, should a thread that shares the word have
//      taken it, its filter. No synchronisation operation of its own lies between
//      the two, so they have the same place in HB, CP and WCP. They also have the
//      same place in any witness, right behind the one that was told, unless another
//      thread wrote these bytes in between; and then nothing ordered that write
//      against ours: a data race, and the values of both are unknown to whoever
//      looks for a witness, which therefore has neither (engines/vindicator.h).
//  (2) the program has one thread: everything it did so far is ordered before all
//      that later threads do, by their creation. In any witness it has happened.
#include "runtime/rtl/rtl.h"
#include "runtime/rtl/shadow.h"

namespace __predrace {

enum class Access { Read, Write, Update };

// The bytes of a shadow word that must be set for the access to be covered, and
// that it leaves set.
template <Access A>
ALWAYS_INLINE u64 neededBytes(u8 bytes) {
  return A == Access::Read ? static_cast<u64>(bytes) << 8 : bytes;
}
template <Access A>
ALWAYS_INLINE u64 leftBytes(u8 bytes) {
  return A == Access::Read ? static_cast<u64>(bytes) << 8 : static_cast<u64>(bytes) << 8 | bytes;
}
template <Access A>
ALWAYS_INLINE bool isCovered(u64 word, u64 segment, u8 bytes) {
  return ((word ^ segment) & (~0xFFFFull | neededBytes<A>(bytes))) == 0;
}

constexpr RecordKind recordOf(Access a) {
  return a == Access::Read ? RecordKind::Read : a == Access::Write ? RecordKind::Write : RecordKind::Update;
}

// Whether the filter knows the access; notes it if not.
template <Access A>
ALWAYS_INLINE bool isInFilter(ThreadState* t, u64 granule, u8 bytes) {
  u64 key = granule / kFilterSize << 31 | t->sequence % (1u << kFilterSequenceBits) << 16;
  u64* entry = &t->filter[(granule ^ granule / kFilterSize) % kFilterSize];
  u64 found = *entry;
  if ((found & ~0xFFFFull) != key) found = key;
  if ((found & neededBytes<A>(bytes)) == neededBytes<A>(bytes)) return true;
  *entry = found | leftBytes<A>(bytes);
  return false;
}

// The access's bytes within one granule, a run of them; the access as a whole has
// `element` bytes (0: more than fit a record).
template <Access A>
ALWAYS_INLINE void accessGranule(ThreadState* t, u64 granule, u8 bytes, u8 element, uptr pc) {
  u64* shadow = shadowOf(granule << predrace::kGranuleShift);
  u64 word = __atomic_load_n(shadow, __ATOMIC_RELAXED);
  u64 segment = __predrace_thread.segment;
  if (LIKELY(filterAccesses)) {
    if (isCovered<A>(word, segment, bytes)) return;
    bool mine = (word ^ segment) >> kSegmentShift == 0;
    if (!mine && isInFilter<A>(t, granule, bytes)) return;
    __atomic_store_n(shadow, (mine ? word : segment & ~0xFFFFull) | leftBytes<A>(bytes), __ATOMIC_RELAXED);
  }
  if (UNLIKELY(state() != RunState::Running)) return;  // rule (2)
  tellAccess(t, recordOf(A), granule << predrace::kGranuleShift | __builtin_ctz(bytes),
             __builtin_popcount(bytes), element, pc);
}

// A thread inside the runtime, or one that we do not know, tells nothing.
class Telling {
 public:
  Telling() {
    ThreadState* t = self();
    if (UNLIKELY(!t || t->busy)) return;
    t->busy = 1;
    atomic_signal_fence(memory_order_seq_cst);
    t_ = t;
  }
  ~Telling() {
    if (!t_) return;
    atomic_signal_fence(memory_order_seq_cst);
    t_->busy = 0;
  }
  ThreadState* thread() const { return t_; }

 private:
  ThreadState* t_ = nullptr;
};

template <Access A, unsigned kSize>
ALWAYS_INLINE void accessAligned(uptr p, uptr pc) {
  Telling telling;
  ThreadState* t = telling.thread();
  if (UNLIKELY(!t)) return;
  if constexpr (kSize == 16) {
    accessGranule<A>(t, p >> predrace::kGranuleShift, 0xFF, kSize, pc);
    accessGranule<A>(t, (p >> predrace::kGranuleShift) + 1, 0xFF, kSize, pc);
  } else {
    accessGranule<A>(t, p >> predrace::kGranuleShift, ((1u << kSize) - 1) << (p & 7), kSize, pc);
  }
}

template <Access A>
void accessBytes(ThreadState* t, uptr p, uptr size, uptr pc) {
  uptr end = p + size;
  for (uptr granule = p >> predrace::kGranuleShift; p < end; ++granule) {
    uptr granuleEnd = (granule + 1) << predrace::kGranuleShift;
    uptr stop = end < granuleEnd ? end : granuleEnd;
    accessGranule<A>(t, granule, ((1u << (stop - p)) - 1) << (p & 7), size, pc);
    p = stop;
  }
}

// Ranges of up to this many bytes are told granule by granule, so that the parts
// a thread has already told are dropped; longer ones in one record when any
// part is new.
constexpr uptr kSmallRange = 64;

template <Access A>
ALWAYS_INLINE bool coverRange(uptr p, uptr size) {
  u64 segment = __predrace_thread.segment;
  uptr end = p + size;
  bool covered = true;
  for (uptr granule = p >> predrace::kGranuleShift; p < end; ++granule) {
    uptr granuleEnd = (granule + 1) << predrace::kGranuleShift;
    uptr stop = end < granuleEnd ? end : granuleEnd;
    u8 bytes = ((1u << (stop - p)) - 1) << (p & 7);
    u64* shadow = shadowOf(granule << predrace::kGranuleShift);
    u64 word = __atomic_load_n(shadow, __ATOMIC_RELAXED);
    if (!isCovered<A>(word, segment, bytes)) {
      covered = false;
      bool mine = (word ^ segment) >> kSegmentShift == 0;
      __atomic_store_n(shadow, (mine ? word : segment & ~0xFFFFull) | leftBytes<A>(bytes), __ATOMIC_RELAXED);
    }
    p = stop;
  }
  return covered;
}

void accessRange(ThreadState* t, bool write, uptr p, uptr size, uptr pc) {
  if (size <= kSmallRange) {
    write ? accessBytes<Access::Write>(t, p, size, pc) : accessBytes<Access::Read>(t, p, size, pc);
    return;
  }
  if (state() != RunState::Running) return;  // rule (2)
  if (filterAccesses && (write ? coverRange<Access::Write>(p, size) : coverRange<Access::Read>(p, size)))
    return;
  for (uptr done = 0; done < size;) {
    u32 part = static_cast<u32>(Min<uptr>(size - done, predrace::kMaxAccessLength));
    tellAccess(t, write ? RecordKind::Write : RecordKind::Read, p + done, part, 0, pc);
    done += part;
  }
}

}  // namespace __predrace

using namespace __predrace;

#define PREDRACE_SLOW_PATH extern "C" __attribute__((visibility("default"), preserve_most))
#define PREDRACE_ACCESS(name, kind, size)                                          \
  PREDRACE_SLOW_PATH void __predrace_##name##size(void* p) {                       \
    accessAligned<Access::kind, size>(reinterpret_cast<uptr>(p), GET_CALLER_PC()); \
  }
#define PREDRACE_ACCESSES(name, kind) \
  PREDRACE_ACCESS(name, kind, 1)      \
  PREDRACE_ACCESS(name, kind, 2)      \
  PREDRACE_ACCESS(name, kind, 4)      \
  PREDRACE_ACCESS(name, kind, 8)      \
  PREDRACE_ACCESS(name, kind, 16)
PREDRACE_ACCESSES(read, Read)
PREDRACE_ACCESSES(write, Write)
PREDRACE_ACCESSES(update, Update)

PREDRACE_SLOW_PATH void __predrace_read_range(void* p, u64 size) {
  Telling telling;
  if (ThreadState* t = telling.thread())
    accessRange(t, false, reinterpret_cast<uptr>(p), size, GET_CALLER_PC());
}
PREDRACE_SLOW_PATH void __predrace_write_range(void* p, u64 size) {
  Telling telling;
  if (ThreadState* t = telling.thread())
    accessRange(t, true, reinterpret_cast<uptr>(p), size, GET_CALLER_PC());
}
