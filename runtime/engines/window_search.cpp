#include "runtime/engines/window_search.h"

#include <algorithm>
#include <span>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "runtime/engines/cp_variables.h"

namespace predrace {
namespace {

constexpr size_t kMaxViews = 8;

bool conflict(const Event& a, const Event& b) {
  return a.target == b.target && a.thread != b.thread &&
         (cp::kConflicts[cp::kindOf(b.op)] & cp::bit(cp::kindOf(a.op)));
}

}  // namespace

WindowSearch::View::View(const WindowTrace& window, uint32_t from)
    : start(from),
      trace(window.from(from)),
      inFront(trace.size() - (window.size() - from)),
      osr(trace),
      vindicator(trace, osr) {}

WindowSearch::WindowSearch(LogWindow window, WindowSearchOptions options)
    : options_(options), log_(std::move(window)), window_(log_) {
  if (window_.size() == 0) return;
  views_.push_back(std::make_unique<View>(window_, window_.affordable(options.bytes)));
  if (options_.exactOrder || window_.racing().empty()) return;
  findUncertain();
  uint32_t start = views_.front()->start;
  while (!canStart(start)) ++start;
  if (start != views_.front()->start) views_.front() = std::make_unique<View>(window_, start);
  trust(*views_.front());
}

WindowSearch::~WindowSearch() = default;

// The accesses whose values are not known, and where no search can start because it would part a racing
// pair. The log tells pairs: of each access the latest that it races with of each thread. All
// others are found by the order.
void WindowSearch::findUncertain() {
  const View& view = *views_.front();
  const RecordedTrace& trace = view.trace;
  std::vector<bool> uncertain(trace.size());
  parted_.assign(window_.size() + 2, 0);
  absl::flat_hash_map<uint32_t, ByThread> accesses;  // of each variable with a race: ids
  for (const WindowTrace::Racing& r : window_.racing())
    if (r.second >= view.start) accesses[trace.event(view.idOf(r.second)).target].resize(trace.threads());
  for (uint32_t i = view.inFront; i < trace.size(); ++i) {
    const Event& e = trace.event(i);
    if (!isAccess(e.op)) continue;
    if (auto at = accesses.find(e.target); at != accesses.end()) at->second[e.thread].push_back(i);
  }
  for (const auto& [variable, byThread] : accesses)
    for (const std::vector<uint32_t>& ids : byThread)
      for (uint32_t i : ids) judge(i, byThread, uncertain);
  for (const WindowTrace::Racing& r : window_.racing()) {
    if (r.second < view.start) continue;
    uint32_t j = view.idOf(r.second);
    // Does it race, or may it, with something older than the window?
    bool older = !r.first || *r.first < view.start ||
                 ((window_.hasPast() || view.start > 0) &&
                  !trace.happensBeforeAny(trace.event(view.idOf(*r.first)).thread, j));
    if (!older) continue;
    uncertain[j] = true;
    part(kNone, r.second);
  }
  for (uint32_t i = view.inFront; i < trace.size(); ++i)
    if (uncertain[i]) uncertain_.push_back(view.placeOf(i));
  for (size_t p = 1; p < parted_.size(); ++p) parted_[p] += parted_[p - 1];
}

// No search can start behind the first and up to the second; kNone: before the window.
void WindowSearch::part(uint32_t first, uint32_t second) {
  ++parted_[first + 1];
  --parted_[second + 1];
}

// An access's races with those before it, and whether its value is known: the trace's last write of the
// variable is the real one if order says so of every other write. What the thread has left out
// behind it has the same place in the order, hence the same answer; so a write that races with a
// write counts too, whose value the thread may have read.
void WindowSearch::judge(uint32_t j, const ByThread& byThread, std::vector<bool>& uncertain) {
  const View& view = *views_.front();
  const RecordedTrace& trace = view.trace;
  const Event& e = trace.event(j);
  uint32_t writer = reads(e.op) ? trace.writerOf(j) : kNone;
  for (uint32_t u = 0; u < byThread.size(); ++u) {
    if (u == e.thread) continue;
    const std::vector<uint32_t>& theirs = byThread[u];
    auto i =
        std::ranges::partition_point(theirs, [&](uint32_t a) { return a < j && trace.happensBefore(a, j); });
    bool parted = false;
    for (; i != theirs.end() && *i < j; ++i) {
      if (!conflict(trace.event(*i), e)) continue;
      if (writes(trace.event(*i).op)) uncertain[j] = true;
      if (writes(e.op)) uncertain[*i] = true;
      if (!std::exchange(parted, true)) part(view.placeOf(*i), view.placeOf(j));
    }
  }
  if (writer == kNone) return;
  for (uint32_t u = 0; u < byThread.size(); ++u) {
    if (u == trace.event(writer).thread) continue;
    for (uint32_t w : byThread[u]) {
      if (w >= writer) break;
      if (writes(trace.event(w).op) && !trace.happensBefore(w, writer)) uncertain[j] = true;
    }
  }
}

void WindowSearch::trust(View& view) const {
  Cut trusted = view.trace.none();
  for (uint32_t t = 0; t < trusted.size(); ++t)
    trusted[t] = static_cast<uint32_t>(view.trace.eventsOf(t).size());
  for (auto u = uncertain_.rbegin(); u != uncertain_.rend() && *u >= view.start; ++u) {
    uint32_t id = view.idOf(*u);
    trusted[view.trace.event(id).thread] = view.trace.place(id);
  }
  view.vindicator.trustUpTo(std::move(trusted));
}

// Null: there are too many already.
WindowSearch::View* WindowSearch::viewFrom(uint32_t place) {
  for (const std::unique_ptr<View>& v : views_)
    if (v->start == place) return v.get();
  if (views_.size() == kMaxViews) return nullptr;
  View* view = views_.emplace_back(std::make_unique<View>(window_, place)).get();
  trust(*view);
  return view;
}

WindowSearch::Verdict WindowSearch::decideIn(View& view, uint32_t first, uint32_t second, const Stop& stop) {
  view_ = &view;
  i_ = view.idOf(first);
  j_ = view.idOf(second);
  return view.vindicator.vindicate(i_, j_, stop);
}

std::optional<WindowSearch::Verdict> WindowSearch::decide(uint64_t first, uint64_t second, const Stop& stop) {
  if (views_.empty()) return std::nullopt;
  View& whole = *views_.front();
  auto [i, iEnd] = window_.placesOf(first);
  auto [j, jEnd] = window_.placesOf(second);
  std::optional<Verdict> best;
  for (; i < iEnd; ++i) {
    for (uint32_t k = j; k < jEnd; ++k) {
      if (i < whole.start) continue;
      const Event &a = whole.trace.event(whole.idOf(i)), &b = whole.trace.event(whole.idOf(k));
      if (!isAccess(a.op) || !isAccess(b.op) || !conflict(a, b)) continue;
      Verdict verdict = decideIn(whole, i, k, stop);
      if (verdict == Verdict::Untrusted) {
        // What is uncertain and comes before both has happened, and can be left where it is.
        uint32_t start = i;
        while (start > whole.start && !canStart(start)) --start;
        View* later = start > whole.start ? viewFrom(start) : nullptr;
        if (later) verdict = decideIn(*later, i, k, stop);
      }
      if (verdict == Verdict::Witnessed) return verdict;
      best = verdict;
    }
  }
  return best;
}

bool WindowSearch::search(const std::function<bool(uint32_t, uint32_t)>& wanted,
                          const std::function<void()>& found, const Stop& stop) {
  if (views_.empty()) return true;
  constexpr uint32_t kPatience = 64;  // accesses between two looks at the clock
  View& view = *views_.front();
  uint32_t accesses = 0;
  for (uint32_t j = view.inFront; j < view.trace.size(); ++j) {
    const Event& e = view.trace.event(j);
    if (!isAccess(e.op)) continue;
    if (accesses++ % kPatience == 0 && stop()) return false;
    OsrSearch::Wanted ofSite;
    if (wanted) ofSite = [&](uint32_t site) { return wanted(site, e.site); };
    uint32_t i = view.osr.racesWith(j, ofSite);
    if (i == kNone || view.vindicator.examine(view.osr.schedule(), i, j) != Verdict::Witnessed) continue;
    view_ = &view;
    i_ = i;
    j_ = j;
    found();
  }
  return true;
}

Event WindowSearch::told(uint32_t id) const {
  Event e = view_->trace.event(id);
  e.index = *WindowTrace::originOf(e.index);
  e.thread = window_.threadOf(e.thread);
  switch (familyOf(e.op)) {
    case Family::Variable:
      e.target = window_.variableOf(e.target);
      break;
    case Family::Lock:
      e.target = window_.lockOf(e.target);
      break;
    case Family::Thread:
      e.target = window_.threadOf(e.target);
      break;
    case Family::Channel:
    case Family::Object:
    case Family::None:
      break;
  }
  return e;
}

Race WindowSearch::race() const {
  Race race = view_->trace.raceOf(i_, j_);
  for (auto [access, id] : {std::pair(&race.first, i_), std::pair(&race.second, j_)}) {
    Event e = told(id);
    access->index = e.index;
    access->thread = e.thread;
    race.variable = e.target;
  }
  return race;
}

std::vector<uint32_t> WindowSearch::locksOf(uint32_t lockset) const {
  std::vector<uint32_t> out;
  for (uint32_t member : view_->trace.locksets().locks(lockset))
    out.push_back(window_.lockOf(Locksets::lockOf(member)) << 1 | Locksets::isShared(member));
  std::ranges::sort(out);
  return out;
}

HandOver WindowSearch::handOver() const {
  std::optional<Overtaking> o = overtakingIn(view_->trace, view_->vindicator.schedule(), i_, j_);
  if (!o) return {};
  Event release = told(o->release), acquire = told(o->acquire);
  return {release.target, release.thread, acquire.thread, release.site, acquire.site};
}

uint64_t WindowSearch::begin() const {
  return view_->start == 0 ? log_.firstIndex
                           : *WindowTrace::originOf(view_->trace.event(view_->inFront).index);
}

std::vector<uint64_t> WindowSearch::schedule() const {
  std::vector<std::vector<uint64_t>> events;  // by the log's thread
  for (const LogWindow::Part& part : log_.parts) {
    uint64_t index = part.chunk->firstIndex;
    for (const LogEntry& e : std::span(part.chunk->entries, part.count)) {
      if (!e.isEvent()) continue;
      if (index >= begin()) {
        if (e.thread() >= events.size()) events.resize(e.thread() + 1);
        events[e.thread()].push_back(index);
      }
      ++index;
    }
  }
  std::vector<size_t> done(events.size());
  std::vector<uint64_t> out;
  auto runBefore = [&](uint32_t thread, uint64_t index) {
    if (thread >= events.size()) return;
    const std::vector<uint64_t>& mine = events[thread];
    for (size_t& n = done[thread]; n < mine.size() && mine[n] < index; ++n) out.push_back(mine[n]);
  };
  for (uint32_t id : view_->vindicator.schedule()) {
    if (id < view_->inFront) continue;
    Event e = told(id);
    if (e.op == Op::Join) runBefore(e.target, e.index);  // it waits for all of them
    runBefore(e.thread, e.index + 1);
  }
  for (uint32_t id : {i_, j_}) runBefore(told(id).thread, told(id).index);
  return out;
}

WindowSearch::Outlined WindowSearch::outline(size_t most) const {
  const std::vector<uint32_t>& schedule = view_->vindicator.schedule();
  Outline o =
      outlineOf(view_->trace, schedule, view_->inFront, overtakingIn(view_->trace, schedule, i_, j_), most);
  Outlined out{.before = o.before, .steps = {}, .skipped = o.skipped};
  for (const Outline::Step& s : o.steps) out.steps.push_back({told(s.id), s.times, s.skipped});
  return out;
}

uint64_t WindowSearch::rejected() const {
  uint64_t sum = 0;
  for (const std::unique_ptr<View>& v : views_) sum += v->vindicator.rejected();
  return sum;
}

}  // namespace predrace
