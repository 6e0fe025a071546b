#include "runtime/engines/outline.h"

#include <algorithm>

namespace predrace {
namespace {

Cut cutOf(const RecordedTrace& trace, std::span<const uint32_t> schedule) {
  Cut cut = trace.none();
  for (uint32_t i : schedule)
    cut[trace.event(i).thread] = std::max(cut[trace.event(i).thread], trace.place(i) + 1);
  return cut;
}

bool before(const RecordedTrace& trace, uint32_t i, uint32_t j) {
  return i == j || (i < j && trace.happensBefore(i, j));
}

// Nothing to tell people about.
bool isSilent(Op op) { return op == Op::Begin || op == Op::End || op == Op::Branch || op == Op::Inner; }

// May several by the same code be told as one? Not if each is about a lock or thread of its own.
bool repeats(Op op) { return familyOf(op) != Family::Lock && familyOf(op) != Family::Thread; }

}  // namespace

std::optional<Overtaking> overtakingIn(const RecordedTrace& trace, std::span<const uint32_t> schedule,
                                       uint32_t i, uint32_t j) {
  Cut cut = cutOf(trace, schedule);
  std::optional<Overtaking> best;
  for (uint32_t lock = 0; lock < trace.locks(); ++lock) {
    for (const RecordedTrace::Use& early : trace.usesOf(lock)) {
      for (bool earlyShared : {false, true}) {
        // The thread's first section that ends behind i and not in the schedule.
        auto overtaken = std::ranges::find_if(earlyShared ? early.shared : early.exclusive, [&](uint32_t a) {
          uint32_t end = trace.partner(a);
          return end != kNone && !trace.contains(cut, end) && before(trace, i, end);
        });
        if (overtaken == (earlyShared ? early.shared : early.exclusive).end()) continue;
        uint32_t release = trace.partner(*overtaken);
        for (const RecordedTrace::Use& late : trace.usesOf(lock)) {
          if (late.thread == early.thread) continue;
          auto consider = [&](const std::vector<uint32_t>& acquires) {
            auto a = std::ranges::upper_bound(acquires, release);
            if (a == acquires.end() || !trace.contains(cut, *a) || !before(trace, *a, j)) return;
            if (!best || *a > best->acquire) best = {release, *a};
          };
          consider(late.exclusive);
          if (!earlyShared) consider(late.shared);
        }
      }
    }
  }
  return best;
}

Outline outlineOf(const RecordedTrace& trace, std::span<const uint32_t> schedule, uint32_t first,
                  const std::optional<Overtaking>& overtaking, size_t most) {
  std::vector<Outline::Step> all;
  std::vector<uint64_t> ends;  // of each of them: how many steps are behind it
  uint64_t real = 0;
  for (uint32_t id : schedule) {
    if (id < first) continue;
    const Event& e = trace.event(id);
    if (isSilent(e.op)) continue;
    ++real;
    const Event* last = all.empty() ? nullptr : &trace.event(all.back().id);
    if (last && repeats(e.op) && last->thread == e.thread && last->op == e.op && last->site == e.site) {
      ++all.back().times;
      ends.back() = real;
      continue;
    }
    all.push_back({id, 1, 0});
    ends.push_back(real);
  }
  Cut cut = cutOf(trace, schedule);
  auto overtakes = [&](uint32_t id) {
    return overtaking && (id == overtaking->acquire || id == trace.partner(overtaking->acquire));
  };
  auto stays = [&](uint32_t id) {
    const Event& e = trace.event(id);
    return RecordedTrace::isAcquire(e.op) &&
           std::ranges::find(trace.openAfter(e.thread, cut[e.thread]), id) !=
               trace.openAfter(e.thread, cut[e.thread]).end();
  };
  std::vector<bool> shown(all.size());
  size_t count = 0;
  auto show = [&](size_t k) {
    if (shown[k] || count == most) return;
    shown[k] = true;
    ++count;
  };
  for (size_t k = all.size(); k-- > 0;)
    if (overtakes(all[k].id)) show(k);
  for (size_t k = all.size(); k-- > 0;)
    if (stays(all[k].id)) show(k);
  for (size_t k = all.size(); k-- > 0;) show(k);

  Outline out;
  uint64_t told = 0;  // steps so far, shown or counted
  for (size_t k = 0; k < all.size(); ++k) {
    if (!shown[k]) continue;
    uint64_t unseen = ends[k] - all[k].times - told;
    told = ends[k];
    if (out.steps.empty())
      out.before = unseen;
    else
      all[k].skipped = unseen;
    out.steps.push_back(all[k]);
  }
  (out.steps.empty() ? out.before : out.skipped) = real - told;
  return out;
}

}  // namespace predrace
