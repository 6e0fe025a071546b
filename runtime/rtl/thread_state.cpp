#include "runtime/rtl/thread_state.h"

#include <sys/mman.h>

#include "runtime/rtl/rtl.h"
#include "sanitizer_common/sanitizer_posix.h"
#include "sanitizer_common/sanitizer_mutex.h"

namespace __predrace {

// Where code runs that starts before us or in threads that we do not know: their
// frames go here and are never read. As large as an ordinary stack may need.
static Frame unknownFrames[1 << 20];

extern "C" THREADLOCAL ThreadWords __predrace_thread __attribute__((tls_model("initial-exec"))) = {
    ~0ull, unknownFrames};  // a segment that no shadow word can show
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

void enterThread(ThreadState* t) {
  __predrace_thread.top = t->frames;
  currentState = t;
  nextSegment(t);
}

void leaveThread() {
  currentState = nullptr;
  __predrace_thread = {~0ull, unknownFrames};
}

void lockSlots() { slotsMutex.Lock(); }
void unlockSlots() { slotsMutex.Unlock(); }

void restartSlots() {
  freeSlots = nullptr;
  ThreadState* t = self();
  t->slot = 0;
  t->ring.attach(predrace::ringOf(session, 0));
  session->ringCount = 1;
  nextSegment(t);
}

}  // namespace __predrace
