// Threads: creation, life and end; POSIX and C11.
//
// A thread has an id (0 is the main thread, never reused), a synchronisation
// object whose tickets order Fork, Begin, End and Join, and while it lives a slot
// (ThreadState). Its stack and its static thread-local storage are memory that
// begins its life with the thread.
//
// Fork is told before the real creation, so that the child's Begin has a later
// ticket without the two waiting for each other. When the creation then fails,
// Join closes the thread: the engine has seen one that did nothing.
#include "runtime/rtl/interceptors.h"
#include "runtime/rtl/posix.h"
#include "runtime/rtl/thread_table.h"
#include "sanitizer_common/sanitizer_allocator_internal.h"

namespace __predrace {

namespace {

ThreadTable threads;
atomic_uint32_t lastThreadId;

// The calling thread's entry; null for the main thread.
THREADLOCAL ThreadEntry* ownEntry __attribute__((tls_model("initial-exec")));

// Objects of threads that ended detached. A thread cannot retire its own object,
// for End is its last record: the next creation does.
StaticSpinMutex retireLaterMutex;
SyncObject* retireLater;

void addRetireLater(SyncObject* object) {
  SpinMutexLock lock(&retireLaterMutex);
  object->next = retireLater;
  retireLater = object;
}

void retireThreadObject(Call& call, SyncObject* object) {
  tellSync(call.thread(), RecordKind::Retire, object, call.pc(), 0);
  deleteObject(object);
}

void retirePending(Call& call) {
  SyncObject* object;
  {
    SpinMutexLock lock(&retireLaterMutex);
    object = retireLater;
    retireLater = nullptr;
  }
  while (object) {
    SyncObject* next = object->next;
    retireThreadObject(call, object);
    object = next;
  }
}

// ---- the child's side ------------------------------------------------------------------

// What the creator hands to the child; the child frees it.
template <class Result>
struct Start {
  Result (*routine)(void*);
  void* argument;
  ThreadState* state;
  ThreadEntry* entry;
};

void tellOwnMemory(ThreadState* t, RecordKind kind, u32 flags, uptr pc) {
  using predrace::MemoryKind;
  struct {
    MemoryKind kind;
    uptr begin, end;
  } areas[] = {{MemoryKind::Stack, t->stackBegin, t->stackEnd}, {MemoryKind::Tls, t->tlsBegin, t->tlsEnd}};
  for (auto& area : areas)
    if (area.begin < area.end)
      tellMemory(t, kind, static_cast<u32>(area.kind) | flags, area.begin, area.end - area.begin, pc);
}

void tellOwnMemoryBegins(ThreadState* t, bool main, uptr pc) {
  uptr stackSize, tlsSize;
  GetThreadStackAndTls(main, &t->stackBegin, &stackSize, &t->tlsBegin, &tlsSize);
  t->stackEnd = t->stackBegin + stackSize;
  t->tlsEnd = t->tlsBegin + tlsSize;
  tellOwnMemory(t, RecordKind::Alloc, 0, pc);
}

void beginThread(ThreadState* t, ThreadEntry* entry, uptr pc) {
  enterThread(t);
  ownEntry = entry;
  threads.setHandle(entry, currentThreadHandle());
  armThreadEnd();
  Call call(pc);
  if (!call.tells()) return;
  call.sync(RecordKind::Begin, entry->object, entry->id);
  tellOwnMemoryBegins(t, false, pc);
}

// Runs as the very last of the thread's destructors.
void endThread() {
  ThreadState* t = self();
  ThreadEntry* entry = ownEntry;
  if (!t || !entry) return;
  {
    Call call(0);
    if (call.tells()) {
      retireObjectsIn(t->stackBegin, t->stackEnd - t->stackBegin, call);
      retireObjectsIn(t->tlsBegin, t->tlsEnd - t->tlsBegin, call);
      tellOwnMemory(t, RecordKind::Free, predrace::kFreeIsSilent, 0);
      call.sync(RecordKind::End, entry->object, entry->id);
    }
  }
  forgetSharedSections();
  leaveThread();
  returnSlot(t);
  ownEntry = nullptr;
  if (threads.setEnded(entry)) addRetireLater(entry->object);
  threads.drop(entry);
}

template <class Result>
Result runThread(void* p) {
  auto start = *static_cast<Start<Result>*>(p);
  InternalFree(p);
  beginThread(start.state, start.entry,
              reinterpret_cast<uptr>(start.routine) + 1);  // as if called from there
  return start.routine(start.argument);
}

// ---- the creator's side ----------------------------------------------------------------

// Creates a thread: real(routine, argument) is the real function.
template <class Result, class Real>
int createThread(uptr* handle, const void* attributes, Result (*routine)(void*), void* argument, uptr pc,
                 Real real) {
  Start<Result>* start = nullptr;
  ThreadEntry* entry = nullptr;
  {
    Call call(pc);
    if (call.tells()) startEngine();
    if (call.tells() && state() == RunState::Running) {
      retirePending(call);
      u32 id = atomic_fetch_add(&lastThreadId, 1, memory_order_relaxed) + 1;
      SyncObject* object = newObject(ObjectKind::Thread);
      if (ThreadState* t = takeSlot(id, object->id, stackSizeOf(attributes))) {
        entry = threads.add(id, object, attributes && isDetached(attributes));
        start = static_cast<Start<Result>*>(InternalAlloc(sizeof(Start<Result>)));
        *start = {routine, argument, t, entry};
        Site site = isInstrumented(pc) ? 0 : unwoundSite(pc);
        tellSyncAt(call.thread(), RecordKind::Fork, object, site ? site : siteOf(call.thread(), pc), id);
        nextSegment(call.thread());
      } else {
        // What this thread orders would be missing: reports could be wrong.
        deleteObject(object);
        giveUp("no memory for another thread, or more than %u at once; the rest of the run is unchecked",
               predrace::kMaxRings);
      }
    }
  }
  if (!entry) return real(routine, argument);
  SyncObject* object = entry->object;
  ThreadState* t = start->state;
  int result = real(runThread<Result>, start);
  if (result == 0) {
    threads.setHandle(entry, *handle);
  } else {
    Call call(pc);
    if (call.tells()) {
      call.sync(RecordKind::Join, object, entry->id);
      retireThreadObject(call, object);
    }
    returnSlot(t);
    InternalFree(start);
    threads.drop(entry);  // the thread's
  }
  threads.drop(entry);
  return result;
}

// Joins: real() is the real function, 0 its success.
template <class Real>
int joinThread(uptr handle, uptr pc, Real real) {
  // The handle may belong to another thread as soon as the real function returns.
  ThreadEntry* entry = threads.find(handle);
  int result = real();
  if (!entry) return result;
  if (result == 0) {
    Call call(pc);
    bool tells = call.tells();
    if (tells) call.sync(RecordKind::Join, entry->object, entry->id);
    if (threads.setReleased(entry) && tells) retireThreadObject(call, entry->object);
  }
  threads.drop(entry);
  return result;
}

template <class Real>
int detachThread(uptr handle, uptr pc, Real real) {
  ThreadEntry* entry = threads.find(handle);
  int result = real();
  if (!entry) return result;
  if (result == 0 && threads.setReleased(entry)) {
    Call call(pc);
    if (call.tells()) retireThreadObject(call, entry->object);
  }
  threads.drop(entry);
  return result;
}

}  // namespace

void prepareThreads() {
  InitTlsSize();
  onThreadEnd(endThread);
}

void tellMainMemory() {
  Call call(0);
  if (call.tells()) tellOwnMemoryBegins(call.thread(), true, 0);
}

void lockThreadTable() {
  threads.lock();
  retireLaterMutex.Lock();
}

void unlockThreadTable() {
  retireLaterMutex.Unlock();
  threads.unlock();
}

}  // namespace __predrace

using namespace __predrace;

INTERCEPTOR(int, pthread_create, uptr* handle, const void* attributes, void* (*routine)(void*),
            void* argument) {
  return createThread(
      handle, attributes, routine, argument, GET_CALLER_PC(),
      [=](void* (*r)(void*), void* a) { return REAL(pthread_create)(handle, attributes, r, a); });
}

INTERCEPTOR(int, pthread_join, uptr handle, void** value) {
  return joinThread(handle, GET_CALLER_PC(), [=] { return REAL(pthread_join)(handle, value); });
}

INTERCEPTOR(int, pthread_tryjoin_np, uptr handle, void** value) {
  return joinThread(handle, GET_CALLER_PC(), [=] { return REAL(pthread_tryjoin_np)(handle, value); });
}

INTERCEPTOR(int, pthread_timedjoin_np, uptr handle, void** value, const void* time) {
  return joinThread(handle, GET_CALLER_PC(), [=] { return REAL(pthread_timedjoin_np)(handle, value, time); });
}

INTERCEPTOR(int, pthread_clockjoin_np, uptr handle, void** value, int clock, const void* time) {
  return joinThread(handle, GET_CALLER_PC(),
                    [=] { return REAL(pthread_clockjoin_np)(handle, value, clock, time); });
}

INTERCEPTOR(int, pthread_detach, uptr handle) {
  return detachThread(handle, GET_CALLER_PC(), [=] { return REAL(pthread_detach)(handle); });
}

INTERCEPTOR(int, thrd_create, uptr* handle, int (*routine)(void*), void* argument) {
  return createThread(handle, nullptr, routine, argument, GET_CALLER_PC(),
                      [=](int (*r)(void*), void* a) { return REAL(thrd_create)(handle, r, a); });
}

INTERCEPTOR(int, thrd_join, uptr handle, int* value) {
  return joinThread(handle, GET_CALLER_PC(), [=] { return REAL(thrd_join)(handle, value); });
}

INTERCEPTOR(int, thrd_detach, uptr handle) {
  return detachThread(handle, GET_CALLER_PC(), [=] { return REAL(thrd_detach)(handle); });
}
