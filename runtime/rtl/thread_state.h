// ThreadState: what the runtime keeps for each thread of the program.
//
// Owned by its thread; nobody else touches it while the thread lives. States sit
// in slots that are reused: a slot keeps its ring, its frames and its segment
// counter, so that segments stay unique in the run without a shared counter.
//
// Invariants
//  (1) words().segment = slot << 51 | sequence << 16 | 0xFFFF, and sequence grows
//      with every synchronisation operation of the thread: a shadow word with
//      these upper bits was left by this thread since its last such operation.
//  (2) While busy is set the thread is inside the runtime. A signal handler that
//      interrupts it there tells nothing (it would tear a record apart).
//  (3) The frame stack is as large as the thread's own stack: an instrumented
//      frame takes at least 16 bytes of stack (return address, saved top), as
//      much as a Frame, so entries need no bounds check.
#ifndef PREDRACE_RTL_THREAD_STATE_H
#define PREDRACE_RTL_THREAD_STATE_H

#include "runtime/wire/session.h"
#include "sanitizer_common/sanitizer_common.h"

namespace __predrace {

using namespace __sanitizer;
using predrace::RecordKind;
using predrace::Site;

// What instrumented code reads and writes inline (Callbacks.inc).
struct Frame {
  u64 pc;       // of the call into this function
  u64 context;  // its node in the context tree, 0 while nobody has asked
};
struct ThreadWords {
  u64 segment;
  Frame* top;
  u64 shadow, mask;
};
extern "C" __attribute__((visibility("default"))) THREADLOCAL ThreadWords __predrace_thread
    __attribute__((tls_model("initial-exec")));

constexpr unsigned kSegmentShift = 16;
constexpr unsigned kSlotShift = 51;
static_assert(predrace::kMaxRings <= 1u << (64 - kSlotShift));

struct SiteCacheEntry {
  u64 pc;
  u32 context;
  Site site;
};
constexpr unsigned kSiteCacheSize = 1024;

// Accesses of this segment, for when another thread has taken the shadow word: upper
// bits of the granule << 31 | low bits of the segment's sequence << 16 | bytes
// accessed << 8 | bytes written. The lower bits of the granule are the place.
constexpr unsigned kFilterSize = 2048;
constexpr unsigned kFilterSequenceBits = 15;

struct ThreadState {
  predrace::RingWriter ring;
  u32 busy;  // invariant (2)
  u32 slot;
  u32 id;      // of the thread, never reused in a session
  u32 object;  // the thread's own synchronisation object
  u64 sequence;
  Frame* frames;
  uptr framesBytes;
  // The ring's open record: where it ends, which code made it, how much longer it may get.
  uptr openEnd;
  u64 openCode;
  u32 openRoom;
  uptr apiPc;  // pc of an interceptor that calls another one (operator new -> malloc); taken once
  ThreadState* nextFree;
  uptr stackBegin, stackEnd, tlsBegin, tlsEnd;
  SiteCacheEntry sites[kSiteCacheSize];
  u64 filter[kFilterSize];
};

// The current thread's state; null for threads that we do not know (created
// behind our back) and outside a thread's checked life.
extern THREADLOCAL ThreadState* currentState __attribute__((tls_model("initial-exec")));
ALWAYS_INLINE ThreadState* self() { return currentState; }

// Takes a slot for a thread that is about to run; null when all kMaxRings are in use.
ThreadState* takeSlot(u32 id, u32 object, uptr frameBytes);
void returnSlot(ThreadState* t);
// Makes the calling thread run as t, and stop doing so.
void enterThread(ThreadState* t);
void leaveThread();
// A forked child: the calling thread is the only one, and has the first slot.
void restartSlots();
void lockSlots();
void unlockSlots();
// Starts the next segment: every synchronisation operation does.
ALWAYS_INLINE void nextSegment(ThreadState* t) {
  ++t->sequence;
  if (UNLIKELY(t->sequence % (1u << kFilterSequenceBits) == 0))
    internal_memset(t->filter, 0, sizeof(t->filter));
  __predrace_thread.segment = static_cast<u64>(t->slot) << kSlotShift | t->sequence << kSegmentShift | 0xFFFF;
}

}  // namespace __predrace

#endif  // PREDRACE_RTL_THREAD_STATE_H
