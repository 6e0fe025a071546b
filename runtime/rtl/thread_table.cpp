#include "runtime/rtl/thread_table.h"

#include "sanitizer_common/sanitizer_allocator_internal.h"

namespace __predrace {

ThreadEntry* ThreadTable::add(u32 id, SyncObject* object, bool detached) {
  auto* entry = static_cast<ThreadEntry*>(InternalAlloc(sizeof(ThreadEntry)));
  *entry = {0, id, object, 2, false, false, detached, nullptr};
  return entry;
}

void ThreadTable::setHandle(ThreadEntry* entry, uptr handle) {
  SpinMutexLock lock(&mutex_);
  if (entry->handle) return;
  entry->handle = handle;
  for (ThreadEntry* e = *bucketOf(handle); e; e = e->next) {
    if (e->handle != handle) continue;
    unlink(e);
    break;
  }
  entry->linked = true;
  ++entry->references;
  entry->next = *bucketOf(handle);
  *bucketOf(handle) = entry;
}

ThreadEntry* ThreadTable::find(uptr handle) {
  SpinMutexLock lock(&mutex_);
  ThreadEntry* e = *bucketOf(handle);
  while (e && e->handle != handle) e = e->next;
  if (e) ++e->references;
  return e;
}

void ThreadTable::drop(ThreadEntry* entry) {
  SpinMutexLock lock(&mutex_);
  dropLocked(entry);
}

bool ThreadTable::setEnded(ThreadEntry* entry) {
  SpinMutexLock lock(&mutex_);
  entry->ended = true;
  if (entry->released) unlink(entry);
  return entry->released;
}

bool ThreadTable::setReleased(ThreadEntry* entry) {
  SpinMutexLock lock(&mutex_);
  if (entry->released) return false;
  entry->released = true;
  if (entry->ended) unlink(entry);
  return entry->ended;
}

void ThreadTable::unlink(ThreadEntry* entry) {
  if (!entry->linked) return;
  entry->linked = false;
  ThreadEntry** link = bucketOf(entry->handle);
  while (*link != entry) link = &(*link)->next;
  *link = entry->next;
  dropLocked(entry);
}

void ThreadTable::dropLocked(ThreadEntry* entry) {
  if (--entry->references == 0) InternalFree(entry);
}

}  // namespace __predrace
