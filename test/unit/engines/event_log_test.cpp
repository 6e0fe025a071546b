#include "runtime/engines/event_log.h"

#include <gtest/gtest.h>

#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "test/unit/engines/logged.h"

namespace predrace {
namespace {

constexpr uint64_t kChunk = LogChunk::kEntries;

Event write(uint64_t index, uint32_t thread = 0, uint32_t variable = 0, uint32_t site = 0) {
  return {Op::Write, thread, variable, site, index};
}

// Writes with the indices [from, to).
void logWrites(EventLog& log, uint64_t from, uint64_t to) {
  for (uint64_t i = from; i < to; ++i) log.on(write(i));
}

// The window's events; where the log was told something else, its kind and what it is about.
struct Replayed {
  std::vector<Event> events;
  std::vector<std::tuple<int, uint32_t, uint32_t, size_t>> others;  // kind, target, site, events before
};
Replayed replayed(const LogWindow& window) {
  Replayed out;
  for (const LogWindow::Part& part : window.parts) {
    uint64_t index = part.chunk->firstIndex;
    for (const LogEntry& e : std::span(part.chunk->entries, part.count)) {
      if (e.isEvent())
        out.events.push_back({e.op(), e.thread(), e.target, e.site, index++});
      else
        out.others.emplace_back(e.kind(), e.target, e.site, out.events.size());
    }
  }
  return out;
}
std::vector<uint64_t> indicesOf(const LogWindow& window) {
  std::vector<uint64_t> out;
  for (const Event& e : replayed(window).events) out.push_back(e.index);
  return out;
}

using Held = std::set<std::tuple<uint32_t, uint32_t, bool>>;
Held heldAt(const LogWindow& window) {
  Held out;
  for (const HeldLock& h : window.held) out.emplace(h.thread, h.lock, h.shared);
  EXPECT_EQ(out.size(), window.held.size()) << "one of them twice";
  return out;
}

TEST(EventLog, AnEmptyOneHasAnEmptyWindow) {
  EventLog log;
  EXPECT_EQ(log.size(), 0u);
  EXPECT_EQ(log.begin(), 0u);
  EXPECT_TRUE(log.window().parts.empty());
  log.keepLast(0);
  log.racing(0, 1);
  log.split(0, 1);
  log.forget(LogEntry::kForgetLock, 0);
  EXPECT_EQ(log.size(), 0u) << "nothing is known of these numbers";
}

TEST(EventLog, WindowsHaveWhatWasLogged) {
  EventLog log;
  log.on({Op::AtomicUpdate, 3, 0xfffffffe, 0xffffffff, 7});
  log.split(4, 5);
  log.on({Op::Inner, LogEntry::kMaxThread - 1, 1, 2, 8});
  log.forget(LogEntry::kForgetVariable, 6);
  log.forget(LogEntry::kForgetObject, 8);
  Replayed r = replayed(log.window());
  ASSERT_EQ(r.events.size(), 2u);
  EXPECT_EQ(r.events[0].op, Op::AtomicUpdate);
  EXPECT_EQ(r.events[0].thread, 3u);
  EXPECT_EQ(r.events[0].target, 0xfffffffeu);
  EXPECT_EQ(r.events[0].site, 0xffffffffu);
  EXPECT_EQ(r.events[0].index, 7u);
  EXPECT_EQ(r.events[1].op, Op::Inner);
  EXPECT_EQ(r.events[1].thread, LogEntry::kMaxThread - 1);
  EXPECT_EQ(r.events[1].index, 8u);
  EXPECT_EQ(r.others,
            (std::vector<std::tuple<int, uint32_t, uint32_t, size_t>>{{LogEntry::kSplit, 4, 5, 1},
                                                                      {LogEntry::kForgetVariable, 6, 0, 2},
                                                                      {LogEntry::kForgetObject, 8, 0, 2}}));
  EXPECT_EQ(log.size(), 5u);
}

TEST(EventLog, KeepsTheLastInWholeChunks) {
  EventLog log;
  logWrites(log, 0, 3 * kChunk + 10);
  log.keepLast(2 * kChunk + 11);
  EXPECT_EQ(log.size(), 3 * kChunk + 10) << "with one chunk less there would be too few";
  log.keepLast(2 * kChunk + 10);
  EXPECT_EQ(log.size(), 2 * kChunk + 10);
  EXPECT_EQ(log.begin(), kChunk);
  EXPECT_EQ(log.window().firstIndex, kChunk);
  std::vector<uint64_t> indices = indicesOf(log.window());
  EXPECT_EQ(indices.front(), kChunk);
  EXPECT_EQ(indices.back(), 3 * kChunk + 9);
  EXPECT_EQ(indices.size(), 2 * kChunk + 10);
  log.keepLast(0);
  EXPECT_EQ(log.size(), 10u) << "the last chunk stays";
  EXPECT_EQ(log.begin(), 3 * kChunk);
}

TEST(EventLog, ALastChunkThatIsFullIsKeptToo) {
  EventLog log;
  logWrites(log, 0, 2 * kChunk);
  log.keepLast(1);
  EXPECT_EQ(log.size(), kChunk);
  log.keepLast(0);
  EXPECT_EQ(log.size(), kChunk);
  log.on(write(2 * kChunk));
  EXPECT_EQ(log.size(), kChunk + 1);
  EXPECT_EQ(indicesOf(log.window()).back(), 2 * kChunk);
}

TEST(EventLog, WhatIsNoEventTakesRoomAndNoIndex) {
  EventLog log;
  logWrites(log, 0, kChunk - 1);
  log.split(1, 2);
  log.split(3, 4);  // begins the second chunk
  logWrites(log, kChunk - 1, kChunk + 1);
  EXPECT_EQ(log.size(), kChunk + 3);
  EXPECT_EQ(log.window().parts.size(), 2u);
  log.keepLast(3);
  EXPECT_EQ(indicesOf(log.window()), (std::vector<uint64_t>{kChunk - 1, kChunk}));
}

TEST(EventLog, MemoryIsThatOfTheChunks) {
  EventLog log;
  EXPECT_EQ(log.memoryBytes(), 0u);
  logWrites(log, 0, kChunk + 1);
  EXPECT_EQ(log.memoryBytes(), 2 * sizeof(LogChunk));
  log.keepLast(0);
  EXPECT_EQ(log.memoryBytes(), sizeof(LogChunk));
}

TEST(EventLog, IndicesMayHaveGaps) {
  EventLog log;
  for (uint64_t index : {5, 6, 100, 101, 200}) log.on(write(index));
  EXPECT_EQ(log.begin(), 5u);
  EXPECT_EQ(indicesOf(log.window()), (std::vector<uint64_t>{5, 6, 100, 101, 200}));
  log.keepLast(3);
  EXPECT_EQ(log.begin(), 100u);
  EXPECT_EQ(indicesOf(log.window()), (std::vector<uint64_t>{100, 101, 200}));
}

// What is held where the window begins.

TEST(EventLog, SectionsAreOpenUntilTheyEnd) {
  CutTrace t = cutAt("T0:acq(a) T1:racq(b) T2:racq(b) T0:acq(c) T0:rel(c) T1:rrel(b) T0:w(x) T0:rel(a)", 6);
  EXPECT_EQ(heldAt(t.window), (Held{{0, 0, false}, {2, 1, true}}));
  EXPECT_EQ(indicesOf(t.window), (std::vector<uint64_t>{7, 8})) << "what ends later is held at the beginning";
}

TEST(EventLog, OneThreadHoldsALockInBothModes) {  // as a rwlock that was upgraded
  CutTrace t = cutAt({{Op::SharedAcquire, 0, 0, 0, 0},
                      {Op::Acquire, 0, 0, 0, 1},
                      {Op::SharedRelease, 0, 0, 0, 2},
                      {Op::Write, 0, 0, 0, 3}},
                     3);
  EXPECT_EQ(heldAt(t.window), (Held{{0, 0, false}}));
}

TEST(EventLog, HeldGrowsAndShrinksAsChunksAreDropped) {
  EventLog log;
  std::vector<Event> events = written("T0:acq(a) T1:racq(b) T0:rel(a) T1:acq(c) T1:rrel(b) T0:w(x)").events;
  for (Event& e : events) e.index *= 2;  // every event has a chunk of its own
  logAll(log, events);
  std::vector<Held> held;
  for (size_t left = events.size(); left > 0; --left) {
    log.keepLast(left);
    held.push_back(heldAt(log.window()));
  }
  EXPECT_EQ(held, (std::vector<Held>{{},
                                     {{0, 0, false}},
                                     {{0, 0, false}, {1, 1, true}},
                                     {{1, 1, true}},
                                     {{1, 1, true}, {1, 2, false}},
                                     {{1, 2, false}}}));
}

TEST(EventLog, AForgottenLockIsNotHeld) {
  EventLog log;
  logAll(log, written("T0:acq(a) T0:acq(b)").events);
  log.forget(LogEntry::kForgetVariable, 1);
  log.forget(LogEntry::kForgetLock, 0);
  log.on(write(10));
  log.keepLast(1);
  EXPECT_EQ(heldAt(log.window()), (Held{{0, 1, false}}));
}

TEST(EventLog, AWindowStaysAsItWasTaken) {
  EventLog log;
  logAll(log, written("T0:acq(a) T0:w(x) T0:w(x)").events);
  log.on(write(10));
  LogWindow before = log.window();
  log.on(write(11));  // in the chunk that the window has as well
  log.racing(10, 11);
  EXPECT_EQ(indicesOf(before), (std::vector<uint64_t>{0, 1, 2, 10}));
  EXPECT_TRUE(replayed(before).others.empty());
  log.keepLast(1);
  logWrites(log, 12, 12 + kChunk);
  log.keepLast(1);
  EXPECT_EQ(indicesOf(before), (std::vector<uint64_t>{0, 1, 2, 10}));
  EXPECT_TRUE(before.held.empty());
  EXPECT_EQ(before.firstIndex, 0u);
  EXPECT_EQ(heldAt(log.window()), (Held{{0, 0, false}}));
}

// Which events each mark in the window is about: counted back from the last event before it.
std::vector<Pair> racingIn(const LogWindow& window) {
  Replayed r = replayed(window);
  std::vector<Pair> out;
  for (const auto& [kind, target, site, events] : r.others) {
    EXPECT_EQ(kind, LogEntry::kRacing);
    uint64_t second = r.events[events - 1].index - target;
    out.emplace_back(second - site, second);
  }
  return out;
}

TEST(EventLog, RacingAccessesAreCountedBackFromTheLastEvent) {
  EventLog log;
  logWrites(log, 0, 3);
  log.racing(1, 2);
  log.racing(0, 1);
  logWrites(log, 3, 5);
  log.racing(0, 2);
  log.on(write(100));  // behind a gap
  log.racing(3, 4);
  log.racing(4, 100);
  EXPECT_EQ(racingIn(log.window()), (std::vector<Pair>{{1, 2}, {0, 1}, {0, 2}, {3, 4}, {4, 100}}));
}

TEST(EventLog, RacingAccessesTooFarBackAreToldAsFarAsItGoes) {
  EventLog log;
  log.on(write(0));
  log.on(write(uint64_t{1} << 33));
  log.racing(0, uint64_t{1} << 33);
  EXPECT_EQ(racingIn(log.window()), (std::vector<Pair>{{(uint64_t{1} << 33) - ~0u, uint64_t{1} << 33}}));
}

// Says the race of an access as soon as it hears it.
class Eager final : public Engine {
 public:
  explicit Eager(EventLog& log) : log_(log) {}
  void on(const Event& e) override {
    heard_ += "e";
    log_.racing(e.index, e.index);
  }
  void finish() override { heard_ += "."; }
  void splitVariable(uint32_t from, uint32_t to) override { add("s", from * 10 + to); }
  void forgetVariable(uint32_t v) override { add("v", v); }
  void forgetChannel(uint32_t c) override { add("c", c); }
  void forgetLock(uint32_t l) override { add("l", l); }
  void forgetObject(uint32_t o) override { add("o", o); }
  size_t memoryBytes() const override { return 17; }
  uint64_t fold(size_t target) override { return target + 1; }
  const std::string& heard() const { return heard_; }

 private:
  void add(const char* what, uint32_t number) { heard_ += what + std::to_string(number); }
  EventLog& log_;
  std::string heard_;
};

TEST(EventLog, ALoggedEngineHearsEverythingAfterTheLog) {
  EventLog log;
  Eager engine(log);
  Logged logged(engine, log);
  logged.on(write(0));
  logged.splitVariable(1, 2);
  logged.forgetVariable(3);
  logged.forgetChannel(4);
  logged.forgetLock(5);
  logged.forgetObject(6);
  logged.finish();
  EXPECT_EQ(engine.heard(), "es12v3c4l5o6.");
  EXPECT_EQ(logged.memoryBytes(), 17u);
  EXPECT_EQ(logged.fold(4), 5u);
  EXPECT_EQ(replayed(log.window()).others,
            (std::vector<std::tuple<int, uint32_t, uint32_t, size_t>>{{LogEntry::kRacing, 0, 0, 1},
                                                                      {LogEntry::kSplit, 1, 2, 1},
                                                                      {LogEntry::kForgetVariable, 3, 0, 1},
                                                                      {LogEntry::kForgetChannel, 4, 0, 1},
                                                                      {LogEntry::kForgetLock, 5, 0, 1},
                                                                      {LogEntry::kForgetObject, 6, 0, 1}}));
}

}  // namespace
}  // namespace predrace
