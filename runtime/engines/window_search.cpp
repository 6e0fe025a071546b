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
  trust(*views_.front());
}

WindowSearch::~WindowSearch() = default;

// Both accesses of each data race with a write, as far as they are in the window. The log tells the later
// one of each; the earlier ones are found by the order.
void WindowSearch::findUncertain() {
  const View& view = *views_.front();
  const RecordedTrace& trace = view.trace;
  absl::flat_hash_map<uint32_t, std::vector<uint32_t>> accesses;  // of variables with a race: ids
  for (uint32_t place : window_.racing())
    if (place >= view.start) accesses[trace.event(view.idOf(place)).target];
  for (uint32_t i = view.inFront; i < trace.size(); ++i) {
    if (!isAccess(trace.event(i).op)) continue;
    if (auto at = accesses.find(trace.event(i).target); at != accesses.end()) at->second.push_back(i);
  }
  std::vector<bool> uncertain(trace.size());
  for (uint32_t place : window_.racing())
    if (place >= view.start) uncertain[view.idOf(place)] = true;
  for (const auto& [variable, ids] : accesses) {
    std::vector<uint32_t> last(trace.threads(), kNone);  // by thread: its last write so far
    auto look = [&](uint32_t i, bool later) {
      for (uint32_t t = 0; t < last.size(); ++t) {
        if (last[t] == kNone || t == trace.event(i).thread) continue;
        if (later ? !trace.happensBefore(i, last[t]) : !trace.happensBefore(last[t], i)) uncertain[i] = true;
      }
      if (writes(trace.event(i).op)) last[trace.event(i).thread] = i;
    };
    for (uint32_t i : ids) look(i, false);
    std::ranges::fill(last, kNone);
    for (auto i = ids.rbegin(); i != ids.rend(); ++i) look(*i, true);
  }
  for (uint32_t i = view.inFront; i < trace.size(); ++i)
    if (uncertain[i]) uncertain_.push_back(i - view.inFront + view.start);
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

std::optional<uint32_t> WindowSearch::lastUncertainBefore(uint32_t place) const {
  auto next = std::ranges::lower_bound(uncertain_, place);
  if (next == uncertain_.begin()) return std::nullopt;
  return next[-1];
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
        std::optional<uint32_t> u = lastUncertainBefore(i);
        View* later = u && *u >= whole.start ? viewFrom(*u + 1) : nullptr;
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
