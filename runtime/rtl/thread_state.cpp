#include "runtime/rtl/thread_state.h"

#include <sys/mman.h>

#include "runtime/rtl/rtl.h"
#include "runtime/rtl/shadow.h"
#include "sanitizer_common/sanitizer_mutex.h"
#include "sanitizer_common/sanitizer_posix.h"

namespace __predrace {

// Where code runs that starts before us or in threads that we do not know: their
// frames go here and are never read. As large as an ordinary stack may need.
static Frame unknownFrames[1 << 20];

// All addresses share their shadow words in such a thread, and in all while a program
// runs unchecked. Their segment is one that no shadow word can show.
static u64 sharedWords[16];  // a check looks at up to five granules at once
#define PREDRACE_UNKNOWN_THREAD {~0ull, unknownFrames, reinterpret_cast<u64>(sharedWords), 0}

extern "C" THREADLOCAL ThreadWords __predrace_thread __attribute__((tls_model("initial-exec"))) =
    PREDRACE_UNKNOWN_THREAD;
THREADLOCAL ThreadState* currentState __attribute__((tls_model("initial-exec"))) = nullptr;

static StaticSpinMutex slotsMutex;
static ThreadState* freeSlots;

static uptr mapPages(uptr bytes) {
  uptr p = internal_mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                         -1, 0);
  return internal_iserror(p) ? 0 : p;
}

static ThreadState* newSlot() {
  u32 slot = session->ringCount;
  if (slot == predrace::kMaxRings) return nullptr;
  auto* t = reinterpret_cast<ThreadState*>(mapPages(RoundUpTo(sizeof(ThreadState), GetPageSizeCached())));
  if (!t) return nullptr;
  t->slot = slot;
  t->ring.attach(predrace::ringOf(session, slot));
  __atomic_store_n(&session->ringCount, slot + 1, __ATOMIC_RELEASE);
  return t;
}

ThreadState* takeSlot(u32 id, u32 object, uptr frameBytes) {
  SpinMutexLock lock(&slotsMutex);
  ThreadState* t = freeSlots;
  if (t) {
    freeSlots = t->nextFree;
  } else if (!(t = newSlot())) {
    return nullptr;
  }
  frameBytes = RoundUpTo(frameBytes, GetPageSizeCached());
  if (t->framesBytes < frameBytes) {
    if (t->frames) internal_munmap(t->frames, t->framesBytes);
    t->frames = reinterpret_cast<Frame*>(mapPages(frameBytes));
    t->framesBytes = t->frames ? frameBytes : 0;
    if (!t->frames) {
      t->nextFree = freeSlots;
      freeSlots = t;
      return nullptr;
    }
  }
  t->id = id;
  t->object = object;
  t->busy = 0;
  t->apiPc = 0;
  return t;
}

void returnSlot(ThreadState* t) {
  SpinMutexLock lock(&slotsMutex);
  t->nextFree = freeSlots;
  freeSlots = t;
}

static void useShadowOf(u32 slot) {
  __predrace_thread.shadow = shadowBase + slot % kShadowWords * sizeof(u64);
  __predrace_thread.mask = kShadowMask;
}

void enterThread(ThreadState* t) {
  __predrace_thread.top = t->frames;
  useShadowOf(t->slot);
  currentState = t;
  nextSegment(t);
}

void leaveThread() {
  currentState = nullptr;
  __predrace_thread = PREDRACE_UNKNOWN_THREAD;
}

void lockSlots() { slotsMutex.Lock(); }
void unlockSlots() { slotsMutex.Unlock(); }

void restartSlots() {
  freeSlots = nullptr;
  ThreadState* t = self();
  t->slot = 0;
  useShadowOf(0);
  t->ring.attach(predrace::ringOf(session, 0));
  session->ringCount = 1;
  nextSegment(t);
}

}  // namespace __predrace
