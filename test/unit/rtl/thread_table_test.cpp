#include "runtime/rtl/thread_table.h"

#include <gtest/gtest.h>

namespace __predrace {
namespace {

// Zero-initialised, as the runtime's own: a table has no constructor to wait for.
ThreadTable table;
SyncObject object;

constexpr uptr kHandle = 0x7f0000001000, kOther = kHandle + (1ull << 30);

// What pthread_create and its child do, in either order.
ThreadEntry* create(u32 id, uptr handle, bool detached = false) {
  ThreadEntry* entry = table.add(id, &object, detached);
  table.setHandle(entry, handle);
  table.setHandle(entry, handle);
  table.drop(entry);  // the creator's
  return entry;
}

u32 idOf(uptr handle) {
  ThreadEntry* entry = table.find(handle);
  if (!entry) return ~0u;
  u32 id = entry->id;
  table.drop(entry);
  return id;
}

TEST(ThreadTable, FindsAThreadFromItsStartUntilItIsJoined) {
  EXPECT_EQ(idOf(kHandle), ~0u);
  ThreadEntry* entry = create(1, kHandle);
  EXPECT_EQ(idOf(kHandle), 1u);
  EXPECT_FALSE(table.setEnded(entry));
  EXPECT_EQ(idOf(kHandle), 1u) << "ended, but somebody may still join it";
  ThreadEntry* joined = table.find(kHandle);
  table.drop(entry);
  EXPECT_TRUE(table.setReleased(joined));
  EXPECT_EQ(idOf(kHandle), ~0u);
  table.drop(joined);
}

TEST(ThreadTable, ThreadCreatedDetachedIsGoneWhenItEnds) {
  ThreadEntry* entry = create(2, kHandle, true);
  EXPECT_TRUE(table.setEnded(entry));
  EXPECT_EQ(idOf(kHandle), ~0u);
  table.drop(entry);
}

TEST(ThreadTable, DetachBeforeTheEndLeavesTheEndToReportIt) {
  ThreadEntry* entry = create(3, kHandle);
  ThreadEntry* detached = table.find(kHandle);
  EXPECT_FALSE(table.setReleased(detached));
  table.drop(detached);
  EXPECT_TRUE(table.setEnded(entry));
  table.drop(entry);
}

TEST(ThreadTable, SecondReleaseIsNotReportedAgain) {
  ThreadEntry* entry = create(4, kHandle);
  ThreadEntry* first = table.find(kHandle);
  ThreadEntry* second = table.find(kHandle);
  table.setEnded(entry);
  EXPECT_TRUE(table.setReleased(first));
  EXPECT_FALSE(table.setReleased(second));
  table.drop(first);
  table.drop(second);
  table.drop(entry);
}

// libc may hand out a handle again before whoever detached its last thread said so.
TEST(ThreadTable, NewThreadTakesAHandleOver) {
  ThreadEntry* old = create(5, kHandle);
  ThreadEntry* detacher = table.find(kHandle);
  table.setEnded(old);
  table.drop(old);
  ThreadEntry* entry = create(6, kHandle);
  EXPECT_EQ(idOf(kHandle), 6u);
  EXPECT_TRUE(table.setReleased(detacher));
  table.drop(detacher);
  EXPECT_EQ(idOf(kHandle), 6u) << "the old thread's end must not hide the new one";
  table.setReleased(entry);
  EXPECT_TRUE(table.setEnded(entry));
  table.drop(entry);
}

TEST(ThreadTable, KeepsThreadsApart) {
  ThreadEntry* a = create(7, kHandle);
  ThreadEntry* b = create(8, kOther);
  EXPECT_EQ(idOf(kHandle), 7u);
  EXPECT_EQ(idOf(kOther), 8u);
  for (ThreadEntry* entry : {a, b}) {
    table.setReleased(entry);
    EXPECT_TRUE(table.setEnded(entry));
    table.drop(entry);
  }
}

}  // namespace
}  // namespace __predrace
