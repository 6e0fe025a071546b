// OnlineEngine: what a live run does, on any events: CP finds candidates, a window of the last events is
// kept, and in it schedules are searched that show them, and races that only OSR sees.
//
// Reports
// - every data race: the pairs that CpEngine marks `unordered`, and what OSR finds of them;
// - a predicted race only with a schedule that the checker has accepted.
// A pair is reported once. With a window that has the whole trace, every race of OsrEngine is among
// the reports. Without: windows overlap by half, so whatever is at most half a window apart is
// searched with at least so much around it.
//
// The live run's own form of this is tools/engine/predictor.h: it searches in a thread of its own and stops
// in time. Not thread-safe.
#ifndef PREDRACE_ENGINES_ONLINE_H
#define PREDRACE_ENGINES_ONLINE_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "runtime/engines/cp.h"
#include "runtime/engines/event_log.h"

namespace predrace {

class WindowSearch;

struct OnlineOptions {
  static constexpr uint64_t kDefaultWindow = (uint64_t{256} << 20) / sizeof(LogEntry);
  uint64_t window = kDefaultWindow;  // entries of the log
  bool osr = true;                   // look for races that CP does not see
  bool exactOrder = true;            // see WindowSearchOptions
};

struct OnlineCounts {
  uint64_t candidates = 0, witnessed = 0;  // pairs of CP that happens-before orders
  uint64_t found = 0;                      // races that only OSR saw
  uint64_t windows = 0, rejected = 0;
};

class OnlineEngine final : public Engine {
 public:
  explicit OnlineEngine(RaceSink sink, OnlineOptions options = {});
  OnlineEngine(const OnlineEngine&) = delete;
  OnlineEngine& operator=(const OnlineEngine&) = delete;

  void on(const Event& e) override;
  void expect(const Event& e) override { cp_.expect(e); }
  void finish() override;
  std::string notes() const override;
  void splitVariable(uint32_t from, uint32_t to) override { logged_.splitVariable(from, to); }
  void forgetVariable(uint32_t v) override { logged_.forgetVariable(v); }
  void forgetChannel(uint32_t c) override { logged_.forgetChannel(c); }
  void forgetLock(uint32_t l) override { logged_.forgetLock(l); }
  void forgetObject(uint32_t o) override { logged_.forgetObject(o); }
  size_t memoryBytes() const override { return cp_.memoryBytes() + log_.memoryBytes(); }
  uint64_t fold(size_t targetBytes) override { return cp_.fold(targetBytes); }

  const OnlineCounts& counts() const { return counts_; }

 private:
  using Pair = std::pair<uint64_t, uint64_t>;

  void found(const Race& race);
  void search();
  bool report(const WindowSearch& search);

  RaceSink sink_;
  OnlineOptions options_;
  EventLog log_;
  CpEngine cp_;
  Logged logged_;
  std::vector<Pair> candidates_;  // not witnessed so far
  absl::flat_hash_set<Pair> reported_;
  absl::flat_hash_set<uint32_t> raced_;  // variables
  OnlineCounts counts_;
};

}  // namespace predrace

#endif  // PREDRACE_ENGINES_ONLINE_H
