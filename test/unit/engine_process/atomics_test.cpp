// The release sequences of C++, operation by operation.
#include <gtest/gtest.h>

#include "test/unit/engine_process/helpers.h"
#include "tools/engine/lowering.h"

namespace predrace {
namespace {

constexpr uint64_t kX = 0x7f0000000100, kY = 0x7f0000000200;
constexpr Order kRelaxed = Order::Relaxed, kAcquire = Order::Acquire, kRelease = Order::Release,
                kAcqRel = Order::AcqRel, kSeqCst = Order::SeqCst;

class AtomicsTest : public testing::Test {
 protected:
  void op(uint32_t thread, RecordKind kind, uint64_t address, Order order) {
    uint32_t object = static_cast<uint32_t>(address & 0xfff);
    ASSERT_TRUE(lowering_.take(thread, syncSlot(kind, object, 0, 1, static_cast<uint32_t>(order)),
                               rangeSlot(address, 4)));
  }
  void load(uint32_t t, uint64_t a, Order o) { op(t, RecordKind::AtomicLoad, a, o); }
  void store(uint32_t t, uint64_t a, Order o) { op(t, RecordKind::AtomicStore, a, o); }
  void update(uint32_t t, uint64_t a, Order o) { op(t, RecordKind::AtomicUpdate, a, o); }
  void fence(uint32_t t, Order o) {
    Slot s = syncSlot(RecordKind::Fence, 0, 0, 1, static_cast<uint32_t>(o));
    ASSERT_TRUE(lowering_.take(t, s, s));
  }

  Log log_;
  Lowering lowering_{log_};
};

TEST_F(AtomicsTest, ReleaseStoreThenAcquireLoad) {
  store(1, kX, kRelease);
  load(2, kX, kAcquire);
  EXPECT_EQ(log_.take(), "1:aw(0) 1:snd(0) 2:rcv(0) 2:ar(0)");
}

TEST_F(AtomicsTest, SeqCstIsBoth) {
  store(1, kX, kSeqCst);
  update(2, kX, kSeqCst);
  load(3, kX, kSeqCst);
  EXPECT_EQ(log_.take(), "1:aw(0) 1:snd(0) 2:rcv(0) 2:au(0) 2:snd(0) 3:rcv(0) 3:ar(0)");
}

TEST_F(AtomicsTest, RelaxedMakesNoOrder) {
  store(1, kX, kRelaxed);
  load(2, kX, kAcquire);
  store(1, kX, kRelease);
  load(2, kX, kRelaxed);
  EXPECT_EQ(log_.take(), "1:aw(0) 2:ar(0) 1:aw(0) 1:snd(0) 2:ar(0)");
}

TEST_F(AtomicsTest, RelaxedStoreOfAnotherThreadEndsTheSequence) {
  store(1, kX, kRelease);
  store(2, kX, kRelaxed);
  load(3, kX, kAcquire);
  EXPECT_EQ(log_.take(), "1:aw(0) 1:snd(0) 2:aw(0) forgetChannel(0) 3:ar(0)");
}

TEST_F(AtomicsTest, RelaxedStoreOfTheSameThreadContinuesIt) {
  store(1, kX, kRelease);
  store(1, kX, kRelaxed);
  load(3, kX, kAcquire);
  EXPECT_EQ(log_.take(), "1:aw(0) 1:snd(0) 1:aw(0) 3:rcv(0) 3:ar(0)");
}

TEST_F(AtomicsTest, RelaxedUpdateContinuesIt) {
  store(1, kX, kRelease);
  update(2, kX, kRelaxed);
  load(3, kX, kAcquire);
  EXPECT_EQ(log_.take(), "1:aw(0) 1:snd(0) 2:au(0) 3:rcv(0) 3:ar(0)");
}

TEST_F(AtomicsTest, ReleasingUpdatesAddUp) {
  update(1, kX, kRelease);
  update(2, kX, kRelease);
  update(3, kX, kAcqRel);
  EXPECT_EQ(log_.take(), "1:au(0) 1:snd(0) 2:au(0) 2:snd(0) 3:rcv(0) 3:au(0) 3:snd(0)");
}

TEST_F(AtomicsTest, NewReleaseStoreStartsANewSequence) {
  store(1, kX, kRelease);
  store(2, kX, kRelease);
  load(3, kX, kAcquire);
  EXPECT_EQ(log_.take(), "1:aw(0) 1:snd(0) 2:aw(0) forgetChannel(0) 2:snd(0) 3:rcv(0) 3:ar(0)");
}

TEST_F(AtomicsTest, NothingToReceiveFromOneself) {
  store(1, kX, kSeqCst);
  load(1, kX, kSeqCst);
  update(1, kX, kSeqCst);
  EXPECT_EQ(log_.take(), "1:aw(0) 1:snd(0) 1:ar(0) 1:au(0) 1:snd(0)");
}

TEST_F(AtomicsTest, SpinningReceivesOnce) {
  store(1, kX, kRelease);
  log_.take();
  load(2, kX, kAcquire);
  load(2, kX, kAcquire);
  EXPECT_EQ(log_.take(), "2:rcv(0) 2:ar(0) 2:ar(0)");
  store(1, kX, kRelease);
  load(2, kX, kAcquire);
  EXPECT_EQ(log_.take(), "1:aw(0) 1:snd(0) 2:rcv(0) 2:ar(0)");
}

TEST_F(AtomicsTest, AcquireFenceAfterRelaxedLoads) {
  store(1, kX, kRelease);
  store(2, kY, kRelease);
  load(3, kX, kRelaxed);
  load(3, kY, kRelaxed);
  log_.take();
  fence(3, kAcquire);
  EXPECT_EQ(log_.take(), "3:rcv(0) 3:rcv(1)");
  fence(3, kAcquire);
  EXPECT_EQ(log_.take(), "") << "received already";
}

TEST_F(AtomicsTest, FenceRemembersASequenceThatIsOver) {
  store(1, kX, kRelease);
  load(3, kX, kRelaxed);
  store(2, kX, kRelaxed);
  log_.take();
  fence(3, kAcquire);
  EXPECT_EQ(log_.take(), "3:rcv(0) forgetChannel(0)");
}

TEST_F(AtomicsTest, ReleaseFenceBeforeRelaxedStore) {
  fence(1, kRelease);
  store(1, kX, kRelaxed);
  load(2, kX, kAcquire);
  EXPECT_EQ(log_.take(), "1:snd(0) 1:aw(0) 2:rcv(0) 2:ar(0)");
}

TEST_F(AtomicsTest, BothFences) {
  fence(1, kRelease);
  store(1, kX, kRelaxed);
  load(2, kX, kRelaxed);
  fence(2, kAcquire);
  EXPECT_EQ(log_.take(), "1:snd(0) 1:aw(0) 2:ar(0) 2:rcv(0)");
}

TEST_F(AtomicsTest, RelaxedUpdateCarriesItsFenceBesideTheSequence) {
  store(1, kX, kRelease);
  fence(2, kRelease);
  update(2, kX, kRelaxed);
  log_.take();
  load(3, kX, kAcquire);
  EXPECT_EQ(log_.take(), "3:rcv(0) 3:rcv(1) 3:ar(0)");
}

TEST_F(AtomicsTest, AReleaseOnAFencedSequenceStaysOffTheFence) {
  fence(1, kRelease);
  store(1, kX, kRelaxed);
  store(1, kY, kRelaxed);
  update(2, kX, kRelease);  // must not show in y
  log_.take();
  load(3, kY, kAcquire);
  EXPECT_EQ(log_.take(), "3:rcv(0) 3:ar(1)");
  load(3, kX, kAcquire);
  EXPECT_EQ(log_.take(), "3:rcv(0) 3:rcv(1) 3:ar(0)");
}

TEST_F(AtomicsTest, ManyFencesNeverLoseOrder) {
  for (uint32_t t = 1; t <= 6; ++t) {
    fence(t, kRelease);
    update(t, kX, kRelaxed);
  }
  log_.take();
  load(9, kX, kAcquire);
  EXPECT_EQ(log_.take(), "9:rcv(0) 9:rcv(1) 9:rcv(2) 9:rcv(3) 9:ar(0)");
  // Threads 5 and 6 had no room and sent on channel 0 at their update.
}

TEST_F(AtomicsTest, RetiredAtomicForgetsItsChannels) {
  store(1, kX, kRelease);
  log_.take();
  Slot s = syncSlot(RecordKind::Retire, kX & 0xfff, 0, 1, 0);
  lowering_.take(1, s, s);
  EXPECT_EQ(log_.take(), "forgetChannel(0)");
}

}  // namespace
}  // namespace predrace
