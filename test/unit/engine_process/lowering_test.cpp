#include "tools/engine/lowering.h"

#include <gtest/gtest.h>

#include "test/unit/engine_process/helpers.h"

namespace predrace {
namespace {

constexpr uint64_t kAddress = 0x7f0012345600;

class LoweringTest : public testing::Test {
 protected:
  void access(uint32_t thread, RecordKind kind, uint64_t address, uint8_t mask, Site site = 1) {
    Slot s = maskedSlot(kind, address, mask, site);
    ASSERT_TRUE(lowering_.take(thread, s, s));
  }
  void read(uint32_t thread, uint64_t address, uint8_t mask) {
    access(thread, RecordKind::Read, address, mask);
  }
  void write(uint32_t thread, uint64_t address, uint8_t mask) {
    access(thread, RecordKind::Write, address, mask);
  }
  void range(uint32_t thread, RecordKind kind, uint64_t address, uint64_t size, uint32_t arg = 0,
             Site site = 2) {
    ASSERT_TRUE(
        lowering_.take(thread, syncSlot(kind, kMemoryObject, 0, site, arg), rangeSlot(address, size)));
  }
  void sweep(uint32_t thread, RecordKind kind, uint64_t address, uint32_t size, Site site = 2) {
    Slot s = accessSlot(kind, address, size, 0, site);
    ASSERT_TRUE(lowering_.take(thread, s, s));
  }
  void sync(uint32_t thread, RecordKind kind, uint32_t object, uint32_t arg = 0) {
    Slot s = syncSlot(kind, object, 0, 3, arg);
    ASSERT_TRUE(lowering_.take(thread, s, s));
  }

  Log log_;
  Lowering lowering_{log_};
};

TEST_F(LoweringTest, SameBytesAreOneVariable) {
  write(1, kAddress, 0x0f);
  read(2, kAddress, 0x0f);
  write(1, kAddress, 0xf0);
  EXPECT_EQ(log_.take(), "1:w(0) 2:r(0) 1:w(1)");
}

TEST_F(LoweringTest, UpdateIsOneEvent) {
  access(1, RecordKind::Update, kAddress, 0xff);
  EXPECT_EQ(log_.take(), "1:(0)");  // it has no text of its own
}

TEST_F(LoweringTest, PartOfAVariableSplitsIt) {
  write(1, kAddress, 0xff);
  log_.take();
  read(2, kAddress, 0x0f);
  EXPECT_EQ(log_.take(), "split(0,1) 2:r(0)");
  write(1, kAddress, 0xff);
  EXPECT_EQ(log_.take(), "1:w(0) 1:w(1)");
  read(1, kAddress, 0x18);  // across both
  EXPECT_EQ(log_.take(), "split(0,2) 1:r(0) split(1,3) 1:r(1)");
}

TEST_F(LoweringTest, NewBytesBesideOldOnes) {
  write(1, kAddress, 0x03);
  write(1, kAddress, 0xff);
  EXPECT_EQ(log_.take(), "1:w(0) 1:w(0) 1:w(1)");
}

TEST_F(LoweringTest, RangeCoversAllItsGranules) {
  sweep(1, RecordKind::Write, kAddress + 4, 16);
  EXPECT_EQ(log_.take(), "1:w(0) 1:w(1) 1:w(2)");
  read(2, kAddress + 8, 0xff);
  EXPECT_EQ(log_.take(), "2:r(1)");
  sweep(2, RecordKind::Read, kAddress, 8);
  EXPECT_EQ(log_.take(), "2:r(3) 2:r(0)");
}

TEST_F(LoweringTest, WholeGranulesOfALineAreOneVariable) {
  sweep(1, RecordKind::Write, kAddress + 16, 80);  // 48 bytes of one line, 32 of the next
  EXPECT_EQ(log_.take(), "1:w(0) 1:w(1)");
  sweep(2, RecordKind::Read, kAddress + 16, 80);
  EXPECT_EQ(log_.take(), "2:r(0) 2:r(1)");
  EXPECT_EQ(lowering_.variables().bytesOf(0).size(), 48u);
}

TEST_F(LoweringTest, PartOfASpanBreaksIt) {
  sweep(1, RecordKind::Write, kAddress, 32);
  log_.take();
  write(2, kAddress + 16, 0x0f);
  EXPECT_EQ(log_.take(), "split(0,1) split(0,2) split(0,3) split(2,4) 2:w(2)");
  sweep(1, RecordKind::Write, kAddress, 32);
  EXPECT_EQ(log_.take(), "1:w(0) 1:w(3) 1:w(2) 1:w(4) 1:w(1)");
}

TEST_F(LoweringTest, ALongerSweepBreaksASpan) {
  sweep(1, RecordKind::Write, kAddress, 16);
  sweep(1, RecordKind::Write, kAddress, 32);
  EXPECT_EQ(log_.take(), "1:w(0) split(0,1) 1:w(0) 1:w(1) 1:w(2) 1:w(3)");
}

TEST_F(LoweringTest, SpansAreForgottenWholeOrInPart) {
  sweep(1, RecordKind::Write, kAddress, 16);
  sweep(1, RecordKind::Write, kAddress + 16, 16);
  log_.take();
  range(1, RecordKind::Alloc, kAddress, 24);
  EXPECT_EQ(log_.take(), "forget(0) split(1,0) forget(1)");
  range(1, RecordKind::Free, kAddress, 32);
  EXPECT_EQ(log_.take(), "1:w(0)");
}

TEST_F(LoweringTest, FreeWritesWhatWasTouchedAndAllocForgets) {
  range(1, RecordKind::Alloc, kAddress, 4096);
  write(1, kAddress + 8, 0xff);
  write(1, kAddress + 4088, 0x01);
  log_.take();
  range(2, RecordKind::Free, kAddress, 4096);
  EXPECT_EQ(log_.take(), "2:w(0) 2:w(1)");
  range(1, RecordKind::Alloc, kAddress, 4096);
  EXPECT_EQ(log_.take(), "forget(0) forget(1)");
  write(1, kAddress + 8, 0xff);
  EXPECT_EQ(log_.take(), "1:w(1)") << "numbers come back";
}

TEST_F(LoweringTest, AllocForgetsWhatTheAllocatorGaveOnTop) {
  range(1, RecordKind::Alloc, kAddress, 100);
  write(1, kAddress + 16, 0xff);
  range(1, RecordKind::Free, kAddress, 104);
  range(2, RecordKind::Alloc, kAddress, 4, 20 << kSlackShift);  // the allocator gave 24
  write(2, kAddress, 0x0f);
  log_.take();
  range(2, RecordKind::Free, kAddress, 24);
  EXPECT_EQ(log_.take(), "2:w(0)");
}

TEST_F(LoweringTest, SilentFreeOnlyForgets) {
  write(1, kAddress, 0xff);
  log_.take();
  range(2, RecordKind::Free, kAddress, 8, kFreeIsSilent);
  EXPECT_EQ(log_.take(), "forget(0)");
}

TEST_F(LoweringTest, AllocForgetsItsBytesOnly) {
  write(1, kAddress, 0xff);
  log_.take();
  range(1, RecordKind::Alloc, kAddress + 4, 8);
  EXPECT_EQ(log_.take(), "split(0,1) forget(1)");
  read(1, kAddress, 0x0f);
  EXPECT_EQ(log_.take(), "1:r(0)");
}

TEST_F(LoweringTest, HugeSparseRangesAreCheap) {
  write(1, kAddress, 0xff);
  range(1, RecordKind::Alloc, 0x10000, 0x7ffffffe0000);
  EXPECT_EQ(log_.take(), "1:w(0) forget(0)");
}

TEST_F(LoweringTest, PlacesOfForgottenVariablesAreRemembered) {
  write(1, kAddress, 0xff);  // event 0
  range(1, RecordKind::Alloc, kAddress, 8);
  write(1, kAddress + 64, 0x0f);  // event 1, the same number
  EXPECT_EQ(lowering_.variables().bytesAt(0, 0).address(), kAddress);
  EXPECT_EQ(lowering_.variables().bytesAt(0, 1).address(), kAddress + 64);
  EXPECT_EQ(lowering_.variables().bytesAt(0, 1).size(), 4u);
}

TEST_F(LoweringTest, SizesOfAccessesAreKnownToReports) {
  access(1, RecordKind::Write, kAddress, 0xff, 11);
  access(1, RecordKind::Write, kAddress, 0xf0, 12);
  sweep(1, RecordKind::Write, kAddress + 6, 100, 13);
  Bytes high{kAddress >> 3, 0xf0};
  EXPECT_EQ(lowering_.extentAt(11, high).address, kAddress);
  EXPECT_EQ(lowering_.extentAt(11, high).size, 8u);
  EXPECT_EQ(lowering_.extentAt(12, high).address, kAddress + 4);
  EXPECT_EQ(lowering_.extentAt(12, Bytes{(kAddress >> 3) + 1, 0x0f}).address, kAddress + 8)
      << "an array's other half";
  EXPECT_EQ(lowering_.extentAt(13, Bytes{(kAddress >> 3) + 1, 0xff}).address, kAddress + 6);
  EXPECT_EQ(lowering_.extentAt(13, Bytes{(kAddress >> 3) + 1, 0xff}).size, 100u);
}

TEST_F(LoweringTest, LocksAreNumberedDenselyAndRetired) {
  sync(1, RecordKind::Acquire, 900);
  sync(1, RecordKind::Release, 900);
  sync(2, RecordKind::SharedAcquire, 500);
  sync(2, RecordKind::SharedRelease, 500);
  EXPECT_EQ(log_.take(), "1:acq(0) 1:rel(0) 2:racq(1) 2:rrel(1)");
  sync(1, RecordKind::Retire, 900);
  EXPECT_EQ(log_.take(), "forgetLock(0)");
  sync(1, RecordKind::Acquire, 900);
  EXPECT_EQ(log_.take(), "1:acq(2)") << "a number rests before it comes back";
  EXPECT_FALSE(lowering_.locks().odd());
}

TEST_F(LoweringTest, FailedAttemptStaysInsideTheSection) {
  sync(1, RecordKind::Acquire, 900);
  sync(2, RecordKind::TryFail, 900);
  sync(1, RecordKind::Release, 900);
  EXPECT_EQ(log_.take(), "1:acq(0) 1:at(0) 2:at(0) 1:at(0) 1:rel(0)");
  sync(1, RecordKind::Acquire, 900);
  sync(1, RecordKind::Release, 900);
  EXPECT_EQ(log_.take(), "1:acq(0) 1:rel(0)") << "the next section has nothing to do with it";
}

TEST_F(LoweringTest, ForeignUnlockIsHardOrderAndOdd) {
  sync(1, RecordKind::Acquire, 900);
  sync(2, RecordKind::Release, 900);
  sync(3, RecordKind::Acquire, 900);
  EXPECT_EQ(log_.take(), "1:acq(0) 1:rel(0) 2:snd(0) 3:acq(0) 3:rcv(0)");
  EXPECT_TRUE(lowering_.locks().odd());
}

TEST_F(LoweringTest, EndedThreadHoldsNothing) {
  sync(1, RecordKind::Acquire, 900);
  sync(1, RecordKind::SharedAcquire, 901);
  sync(1, RecordKind::End, 300, 1);
  sync(2, RecordKind::Acquire, 900);
  EXPECT_EQ(log_.take(), "1:acq(0) 1:racq(1) 1:rrel(1) 1:rel(0) 1:end 2:acq(0)");
}

TEST_F(LoweringTest, ThreadsOrdersAndChannels) {
  sync(0, RecordKind::Fork, 300, 1);
  sync(1, RecordKind::Begin, 300, 1);
  sync(1, RecordKind::Order, 301);
  sync(1, RecordKind::Send, 302, 7);
  sync(1, RecordKind::End, 300, 1);
  sync(0, RecordKind::Receive, 302, 7);
  sync(0, RecordKind::Receive, 302, 8);
  sync(0, RecordKind::Join, 300, 1);
  EXPECT_EQ(log_.take(), "0:fork(1) 1:begin 1:at(0) 1:snd(0) 1:end 0:rcv(0) 0:rcv(1) 0:join(1)");
  EXPECT_EQ(lowering_.history().thread(1).creator, 0u);
  EXPECT_TRUE(lowering_.history().thread(1).ended);
  sync(0, RecordKind::Retire, 302);
  EXPECT_EQ(log_.take(), "forgetChannel(0) forgetChannel(1)");
}

TEST_F(LoweringTest, NonsenseIsRefusedWithAReason) {
  Slot s = syncSlot(RecordKind::Fence, 0, 0, 1, 17);
  EXPECT_FALSE(lowering_.take(1, s, s));
  EXPECT_NE(lowering_.error().find("Fence"), std::string::npos);
}

}  // namespace
}  // namespace predrace
