#include "tools/engine/merger.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>

#include "test/unit/engine_process/helpers.h"

namespace predrace {
namespace {

struct Taken {
  uint32_t thread;
  Slot slot;
};

constexpr auto kNoAhead = [](uint32_t, const Slot&, const Slot&) {};

class MergerTest : public testing::Test {
 protected:
  MergerTest() : merger_([this](Ring*) { ++woken_; }) {}

  void makeRings(uint32_t n) {
    for (uint32_t i = 0; i < n; ++i) {
      rings_.push_back(makeRing());
      writers_.emplace_back().attach(rings_.back().get());
      merger_.addRing(rings_.back().get(), i);
    }
  }
  void sync(uint32_t ring, RecordKind kind, uint32_t object, uint32_t ticket, uint32_t arg = 0) {
    writers_[ring].push(syncSlot(kind, object, ticket, 0, arg));
  }
  void access(uint32_t ring, uint64_t address) {
    writers_[ring].push(accessSlot(RecordKind::Write, address, 8, 8, 0));
  }
  uint64_t run(uint64_t budget = ~0ull) {
    return merger_.run(
        budget,
        [&](uint32_t thread, const Slot& s, const Slot&) {
          taken_.push_back({thread, s});
          return true;
        },
        kNoAhead);
  }

  std::vector<std::unique_ptr<Ring, FreeRing>> rings_;
  std::deque<RingWriter> writers_;
  Merger merger_;
  std::vector<Taken> taken_;
  int woken_ = 0;
};

constexpr uint32_t kLock = kMemoryObject + 1;

TEST_F(MergerTest, WaitsForTheTicket) {
  makeRings(2);
  sync(1, RecordKind::Acquire, kLock, 2);
  access(1, 7);
  EXPECT_EQ(run(), 0u);
  sync(0, RecordKind::Acquire, kLock, 0);
  sync(0, RecordKind::Release, kLock, 1);
  EXPECT_EQ(run(), 4u);
  ASSERT_EQ(taken_.size(), 4u);
  EXPECT_EQ(taken_[1].thread, 0u);
  EXPECT_EQ(taken_[2].thread, 1u);
  EXPECT_EQ(addressOf(taken_[3].slot), 7u);
}

TEST_F(MergerTest, BeginNamesTheRingsThread) {
  makeRings(1);
  access(0, 1);
  sync(0, RecordKind::Begin, 0, 0, 42);
  access(0, 2);
  run();
  ASSERT_EQ(taken_.size(), 3u);
  EXPECT_EQ(taken_[0].thread, 0u);
  EXPECT_EQ(taken_[1].thread, 42u);
  EXPECT_EQ(taken_[2].thread, 42u);
}

TEST_F(MergerTest, RetiredIdGoesOnCounting) {
  makeRings(2);
  sync(1, RecordKind::Acquire, kLock, 2);
  sync(0, RecordKind::Acquire, kLock, 0);
  sync(0, RecordKind::Retire, kLock, 1);
  EXPECT_EQ(run(), 3u);
}

TEST_F(MergerTest, FreezeIgnoresWhatComesLater) {
  makeRings(1);
  access(0, 1);
  merger_.freeze();
  access(0, 2);
  EXPECT_EQ(run(), 1u);
  EXPECT_EQ(merger_.cutOff(), 0u);
}

TEST_F(MergerTest, GapInMemoryTicketsIsSkipped) {
  makeRings(2);
  sync(0, RecordKind::Order, kMemoryObject, 5);
  sync(1, RecordKind::Order, kMemoryObject, 2);
  sync(1, RecordKind::Order, kMemoryObject, 4);
  merger_.freeze();
  EXPECT_EQ(run(), 0u);
  while (merger_.skipGap()) run();
  ASSERT_EQ(taken_.size(), 3u);
  EXPECT_EQ(ticketOf(taken_[0].slot), 2u);
  EXPECT_EQ(ticketOf(taken_[1].slot), 4u);
  EXPECT_EQ(ticketOf(taken_[2].slot), 5u);
}

TEST_F(MergerTest, GapInSynchronisationCutsTheRun) {
  makeRings(2);
  sync(0, RecordKind::Receive, kLock, 1);
  access(0, 1);
  access(1, 2);
  merger_.freeze();
  EXPECT_EQ(run(), 1u);
  EXPECT_FALSE(merger_.skipGap());
  EXPECT_EQ(merger_.cutOff(), 2u);
}

TEST_F(MergerTest, TicketsWrapAround) {
  makeRings(2);
  sync(0, RecordKind::Order, kMemoryObject, kTicketMask - 1);
  sync(1, RecordKind::Order, kMemoryObject, kTicketMask);
  sync(0, RecordKind::Order, kMemoryObject, 0);
  sync(1, RecordKind::Order, kMemoryObject, 1);
  merger_.freeze();
  EXPECT_EQ(run(), 0u);
  ASSERT_TRUE(merger_.skipGap());
  EXPECT_EQ(run(), 4u);
}

TEST_F(MergerTest, GarbageStopsIt) {
  makeRings(1);
  access(0, 1);
  writers_[0].push({0xff, 0});
  access(0, 2);
  EXPECT_EQ(run(), 1u);
  EXPECT_TRUE(merger_.corrupt());
}

TEST_F(MergerTest, SleepingWriterIsWoken) {
  makeRings(1);
  access(0, 1);
  rings_[0]->waiting = 1;
  run();
  EXPECT_EQ(woken_, 1);
  EXPECT_EQ(rings_[0]->tail, 1u);
}

// A random run: threads take turns, some steps on objects that hand out tickets;
// what is published when is random too. The merged stream must keep both orders.
TEST_F(MergerTest, RandomRunsKeepRingsAndTickets) {
  std::mt19937 random(2);
  for (int round = 0; round < 30; ++round) {
    uint32_t threads = 1 + random() % 8, objects = 1 + random() % 5;
    std::vector<std::unique_ptr<Ring, FreeRing>> rings;
    std::vector<RingWriter> writers(threads);
    Merger merger([](Ring*) {});
    for (uint32_t t = 0; t < threads; ++t) {
      rings.push_back(makeRing());
      writers[t].attach(rings[t].get());
      merger.addRing(rings[t].get(), t);
    }
    std::vector<uint32_t> tickets(objects, 0), taken(objects, 0);
    std::vector<uint64_t> steps(threads, 0), seen(threads, 0);
    std::vector<std::deque<Slot>> unpublished(threads);
    uint64_t total = 0, merged = 0;
    bool ordered = true;
    auto take = [&](uint32_t thread, const Slot& s, const Slot&) {
      ++merged;
      bool isSync = formOf(kindOf(s)) != RecordForm::Access;
      ordered &= (isSync ? argOf(s) : addressOf(s)) == seen[thread]++;
      if (isSync) ordered &= ticketOf(s) == taken[objectOf(s) - kLock]++;
      return true;
    };
    auto publish = [&](uint32_t t) {
      while (!unpublished[t].empty() && writers[t].fits(1)) {
        writers[t].push(unpublished[t].front());
        unpublished[t].pop_front();
      }
    };
    for (int step = 0; step < 100'000; ++step) {
      uint32_t t = random() % threads;
      if (random() % 3 == 0) {
        uint32_t o = random() % objects;
        unpublished[t].push_back(syncSlot(RecordKind::Order, kLock + o, tickets[o]++, 0, steps[t]++));
      } else {
        unpublished[t].push_back(accessSlot(RecordKind::Read, steps[t]++, 1, 1, 0));
      }
      ++total;
      if (random() % 16 == 0) publish(random() % threads);
      if (random() % 64 == 0) merger.run(1 + random() % 1000, take, kNoAhead);
    }
    for (int i = 0; i < 10'000 && merged < total; ++i) {
      for (uint32_t t = 0; t < threads; ++t) publish(t);
      merger.run(~0ull, take, kNoAhead);
    }
    ASSERT_TRUE(ordered) << "round " << round;
    ASSERT_EQ(merged, total) << "round " << round;
  }
}

}  // namespace
}  // namespace predrace
