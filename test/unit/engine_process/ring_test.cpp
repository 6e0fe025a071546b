#include "runtime/wire/ring.h"

#include <gtest/gtest.h>

#include <thread>

#include "test/unit/engine_process/helpers.h"

namespace predrace {
namespace {

TEST(Record, FieldsSurviveTheirSlots) {
  Slot a = accessSlot(RecordKind::Write, 0xfedcba987654ull, kMaxAccessLength, 0xa5, 77);
  EXPECT_EQ(kindOf(a), RecordKind::Write);
  EXPECT_EQ(addressOf(a), 0xfedcba987654ull);
  EXPECT_EQ(lengthOf(a), kMaxAccessLength);
  EXPECT_EQ(elementOf(a), 0xa5);
  EXPECT_EQ(siteOf(a), 77u);
  Slot s = syncSlot(RecordKind::Acquire, (1u << kObjectBits) - 1, kTicketMask, 0xffffffff, 0xabcdef01);
  EXPECT_EQ(kindOf(s), RecordKind::Acquire);
  EXPECT_EQ(objectOf(s), (1u << kObjectBits) - 1);
  EXPECT_EQ(ticketOf(s), kTicketMask);
  EXPECT_EQ(siteOf(s), 0xffffffffu);
  EXPECT_EQ(argOf(s), 0xabcdef01u);
}

TEST(Record, EveryKindHasSlotsThatFitItsForm) {
  for (unsigned k = 1; k < static_cast<unsigned>(RecordKind::Count); ++k) {
    RecordKind kind = static_cast<RecordKind>(k);
    EXPECT_EQ(slotsOf(kind), formOf(kind) == RecordForm::Range ? 2u : 1u) << nameOf(kind);
  }
}

TEST(Ring, FullRingRefusesAndGivesBack) {
  auto ring = makeRing();
  RingWriter writer;
  writer.attach(ring.get());
  for (uint64_t i = 0; i < kRingSlots; ++i) {
    ASSERT_TRUE(writer.fits(1));
    writer.push({i, 0});
  }
  EXPECT_FALSE(writer.fits(1));
  RingReader reader(ring.get());
  EXPECT_EQ(reader.refresh(), kRingSlots);
  reader.pop(2);
  EXPECT_FALSE(writer.fits(1)) << "not given back yet";
  EXPECT_FALSE(reader.giveBack()) << "nobody waits";
  EXPECT_TRUE(writer.fits(2));
  EXPECT_FALSE(writer.fits(3));
}

TEST(Ring, SleepingWriterIsToBeWoken) {
  auto ring = makeRing();
  ring->waiting = 1;
  RingReader reader(ring.get());
  EXPECT_TRUE(reader.giveBack());
  EXPECT_EQ(ring->tailWake, 1u);
}

TEST(Ring, TwoSlotRecordWrapsAround) {
  auto ring = makeRing();
  RingWriter writer;
  writer.attach(ring.get());
  RingReader reader(ring.get());
  for (uint64_t i = 0; i < kRingSlots - 1; ++i) writer.push({i, 0});
  reader.refresh();
  reader.pop(kRingSlots - 1);
  reader.giveBack();
  ASSERT_TRUE(writer.fits(2));
  writer.push({1, 2}, {3, 4});
  reader.refresh();
  EXPECT_EQ(reader.peek(0).a, 1u);
  EXPECT_EQ(reader.peek(1).b, 4u);
}

TEST(Ring, ReaderSeesWholeRecordsOfARunningWriter) {
  auto ring = makeRing();
  constexpr uint64_t kRecords = 300'000;
  std::thread thread([&] {
    RingWriter writer;
    writer.attach(ring.get());
    for (uint64_t i = 0; i < kRecords; ++i) {
      while (!writer.fits(2)) std::this_thread::yield();
      writer.push({i, i}, {i, i});
    }
  });
  RingReader reader(ring.get());
  uint64_t expected = 0;
  bool whole = true;
  while (expected < kRecords) {
    if (reader.refresh() == 0) std::this_thread::yield();
    while (!reader.empty()) {
      for (unsigned i = 0; i < 2; ++i) whole &= reader.peek(i).a == expected && reader.peek(i).b == expected;
      reader.pop(2);
      ++expected;
    }
    reader.giveBack();
  }
  thread.join();
  EXPECT_TRUE(whole);
}

TEST(Ring, AnOpenRecordGrowsUntilTheNextOne) {
  auto ring = makeRing();
  RingWriter writer;
  writer.attach(ring.get());
  RingReader reader(ring.get());
  writer.pushOpen(accessSlot(RecordKind::Write, 0x1000, 8, 8, 5));
  EXPECT_EQ(reader.refresh(), 0u);
  ASSERT_TRUE(writer.hasOpen());
  writer.lengthenOpen(8);
  reader.refreshLast();  // as after the writer's death
  EXPECT_EQ(lengthOf(reader.peek()), 16u);
  writer.pushOpen(accessSlot(RecordKind::Read, 0x2000, 4, 4, 6));
  EXPECT_EQ(reader.refresh(), 1u);
  writer.push(syncSlot(RecordKind::Order, 7, 0, 0, 0));
  EXPECT_FALSE(writer.hasOpen());
  EXPECT_EQ(reader.refresh(), 3u);
  EXPECT_EQ(siteOf(reader.peek(1)), 6u);
}

}  // namespace
}  // namespace predrace
