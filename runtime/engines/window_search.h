// WindowSearch: the predicted races of one window of a log, each with a schedule that the checker has
// accepted.
//
// Pairs that an engine has found are decided one by one; search() looks for those that only OSR
// sees. Everything told (indices, numbers) is in the log's terms.
//
// Not thread-safe; needs nothing but the window, so it can work beside the log's owner.
#ifndef PREDRACE_ENGINES_WINDOW_SEARCH_H
#define PREDRACE_ENGINES_WINDOW_SEARCH_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "runtime/engines/osr_search.h"
#include "runtime/engines/outline.h"
#include "runtime/engines/vindicator.h"
#include "runtime/engines/window_trace.h"

namespace predrace {

struct WindowSearchOptions {
  // Plain accesses have the order of the log. In a live run they need not: see vindicator.h.
  bool exactOrder = true;
  // What the search may take, about. Longer windows are cut at their beginning.
  size_t bytes = ~size_t{0};
};

class WindowSearch {
 public:
  using Stop = std::function<bool()>;
  using Verdict = Vindicator::Verdict;

  WindowSearch(LogWindow window, WindowSearchOptions options);
  ~WindowSearch();
  WindowSearch(const WindowSearch&) = delete;
  WindowSearch& operator=(const WindowSearch&) = delete;

  // Two conflicting accesses. nullopt: the window does not have both, or nothing in it can race.
  std::optional<Verdict> decide(uint64_t first, uint64_t second, const Stop& stop);
  // Calls found() for each access that OSR finds to race with an earlier one; pairs of sites that are not
  // wanted are passed over. False: stop() said so.
  bool search(const std::function<bool(uint32_t, uint32_t)>& wanted, const std::function<void()>& found,
              const Stop& stop);

  // About the pair decided or found last, if it is witnessed.
  Race race() const;
  std::vector<uint32_t> locksOf(uint32_t lockset) const;  // of race(), as Locksets has them
  HandOver handOver() const;
  // The indices of the events to run, in their order, behind all that are before begin(). What the
  // window's trace leaves out is there too, right before the next event of its thread.
  std::vector<uint64_t> schedule() const;
  uint64_t begin() const;
  struct Outlined {
    struct Step {
      Event event;
      uint32_t times;
      uint64_t skipped;
    };
    uint64_t before = 0;
    std::vector<Step> steps;
    uint64_t skipped = 0;
  };
  // As an Outline.
  Outlined outline(size_t most) const;

  uint64_t rejected() const;

 private:
  // The trace from some place of the window on.
  struct View {
    View(const WindowTrace& window, uint32_t start);
    uint32_t idOf(uint32_t place) const { return place - start + inFront; }
    uint32_t placeOf(uint32_t id) const { return id - inFront + start; }

    uint32_t start;
    RecordedTrace trace;
    uint32_t inFront;  // how many of its events
    OsrSearch osr;
    Vindicator vindicator;
  };
  View* viewFrom(uint32_t place);
  // Does everything before that place come before everything else in the run, as far as it matters?
  bool canStart(uint32_t place) const { return parted_.empty() || parted_[place] == 0; }
  using ByThread = std::vector<std::vector<uint32_t>>;
  void findUncertain();
  void part(uint32_t first, uint32_t second);
  void judge(uint32_t j, const ByThread& byThread, std::vector<bool>& uncertain);
  void trust(View& view) const;
  Verdict decideIn(View& view, uint32_t first, uint32_t second, const Stop& stop);
  Event told(uint32_t id) const;

  WindowSearchOptions options_;
  LogWindow log_;
  WindowTrace window_;
  std::vector<uint32_t> uncertain_;  // places of accesses whose values are not known, growing
  std::vector<uint32_t> parted_;     // by place: how many data races a start there would part
  std::vector<std::unique_ptr<View>> views_;
  View* view_ = nullptr;  // of the last pair
  uint32_t i_ = kNone, j_ = kNone;
};

}  // namespace predrace

#endif  // PREDRACE_ENGINES_WINDOW_SEARCH_H
