// ThreadTable: which of our threads a pthread_t is.
//
// Thread safety: any; a spin lock guards all of it. Entries are counted: a
// pointer stays good until released.
//
// Invariants
//  (1) At most one entry is found under a handle: the thread that has it now.
//      libc gives a handle to a new thread once the old one has ended and was
//      joined or detached; setHandle() drops an older entry that still says so.
//  (2) `gone` is reported exactly once for each thread: when it has ended and has
//      been joined or detached, whichever comes last. Nobody tells anything about
//      the thread after that.
#ifndef PREDRACE_RTL_THREAD_TABLE_H
#define PREDRACE_RTL_THREAD_TABLE_H

#include "runtime/rtl/sync_object.h"
#include "sanitizer_common/sanitizer_mutex.h"

namespace __predrace {

struct ThreadEntry {
  uptr handle;
  u32 id;
  SyncObject* object;
  u32 references;
  bool linked, ended, released;  // released: joined or detached
  ThreadEntry* next;
};

class ThreadTable {
 public:
  // A thread about to be created. The caller holds two references: its own and
  // the thread's.
  ThreadEntry* add(u32 id, SyncObject* object, bool detached);
  // Both the creator and the thread itself say the handle, whoever comes first.
  void setHandle(ThreadEntry* entry, uptr handle);
  // The thread with this handle, with a reference; null if it is none of ours.
  ThreadEntry* find(uptr handle);
  void drop(ThreadEntry* entry);

  // The thread has ended; it was joined or detached. True: it is gone.
  bool setEnded(ThreadEntry* entry);
  bool setReleased(ThreadEntry* entry);

  void lock() { mutex_.Lock(); }
  void unlock() { mutex_.Unlock(); }

 private:
  static constexpr u32 kBuckets = 1024;
  ThreadEntry** bucketOf(uptr handle) { return &buckets_[(handle >> 12 ^ handle >> 22) % kBuckets]; }
  void unlink(ThreadEntry* entry);
  void dropLocked(ThreadEntry* entry);

  StaticSpinMutex mutex_;
  ThreadEntry* buckets_[kBuckets];
};

}  // namespace __predrace

#endif  // PREDRACE_RTL_THREAD_TABLE_H
