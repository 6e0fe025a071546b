#include "tools/engine/predictor.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "absl/container/flat_hash_set.h"

namespace predrace {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kNice = 10;           // of the searcher: the run comes first
constexpr double kPairSeconds = 2;  // for one candidate
// An idle program's window is searched no sooner than this many times as long as the last search took.
constexpr int kRest = 10;
// What a search may take, next to the window's 12 bytes an event.
constexpr size_t kSearchBytes = size_t{3} << 29;

Clock::duration seconds(double s) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(s));
}

}  // namespace

// Everything that both threads use is guarded by the mutex. The searcher owns a share, so it may outlive the
// Predictor when it is left behind in the middle of a search.
struct Predictor::Searcher {
  struct Job {
    LogWindow window;
    std::vector<std::pair<CodePair, std::vector<Race>>> candidates;
    std::vector<CodePair> settled;
    bool osr = true, last = false;
  };
  struct Tried {
    CodePair pair;
    bool witnessed, refused;  // neither: there was no time
  };

  explicit Searcher(const PredictorOptions& o) : options(o) {}

  const PredictorOptions options;
  std::mutex mutex;
  std::condition_variable changed;
  std::optional<Job> waiting;
  bool working = false, ended = false;
  bool hurry = false;  // the last window is to come: candidates only, until then
  Clock::time_point deadline = Clock::time_point::max();
  Clock::duration took{};
  Clock::time_point rested = Clock::now();
  std::vector<Prediction> found;
  std::vector<Tried> tried;
  uint64_t windows = 0, rejected = 0;

  absl::flat_hash_set<CodePair> settled;  // the thread's own

  void run();
  void search(Job job);
  bool late(bool inHurry = true) {
    std::lock_guard lock(mutex);
    return ended || (hurry && !inHurry) || Clock::now() >= deadline;
  }
  CodePair codePair(uint32_t a, uint32_t b) const {
    uint64_t x = options.pcOf(a), y = options.pcOf(b);
    return {std::min(x, y), std::max(x, y)};
  }
  void report(const WindowSearch& search) {
    Prediction p{.race = search.race(),
                 .firstLocks = {},
                 .secondLocks = {},
                 .schedule = search.outline(options.steps)};
    p.race.handOver = search.handOver();
    p.firstLocks = search.locksOf(p.race.first.lockset);
    p.secondLocks = search.locksOf(p.race.second.lockset);
    std::lock_guard lock(mutex);
    found.push_back(std::move(p));
  }
};

void Predictor::Searcher::run() {
  setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), kNice);
  std::unique_lock lock(mutex);
  while (true) {
    changed.wait(lock, [&] { return ended || waiting; });
    if (ended) return;
    Job job = std::move(*waiting);
    waiting.reset();
    working = true;
    lock.unlock();
    Clock::time_point start = Clock::now();
    search(std::move(job));
    lock.lock();
    working = false;
    ++windows;
    rested = Clock::now();
    took = rested - start;
    changed.notify_all();
  }
}

void Predictor::Searcher::search(Job job) {
  settled.insert(job.settled.begin(), job.settled.end());
  auto stop = [this] { return late(); };
  if (stop()) {
    std::lock_guard lock(mutex);
    for (const auto& [pair, races] : job.candidates) tried.push_back({pair, false, false});
    return;
  }
  WindowSearch search(std::move(job.window), {.exactOrder = false, .bytes = kSearchBytes});
  for (const auto& [pair, races] : job.candidates) {
    if (settled.contains(pair)) continue;
    Tried t{pair, false, false};
    for (const Race& race : races) {
      Clock::time_point end = Clock::now() + seconds(kPairSeconds);
      auto verdict =
          search.decide(race.first.index, race.second.index, [&] { return Clock::now() >= end || late(); });
      t.refused |= verdict != WindowSearch::Verdict::Undecided;
      t.witnessed = verdict == WindowSearch::Verdict::Witnessed;
      if (t.witnessed || late()) break;
    }
    if (t.witnessed) {
      settled.insert(pair);
      report(search);
    }
    std::lock_guard lock(mutex);
    tried.push_back(t);
  }
  if (job.osr) {
    search.search([&](uint32_t a, uint32_t b) { return !settled.contains(codePair(a, b)); },
                  [&] {
                    Race race = search.race();
                    if (!settled.insert(codePair(race.first.site, race.second.site)).second) return;
                    if (!race.unordered) report(search);  // the engine tells data races
                  },
                  [&] { return late(job.last); });
  }
  std::lock_guard lock(mutex);
  rejected += search.rejected();
}

Predictor::Predictor(PredictorOptions options)
    : options_(std::move(options)), searcher_(std::make_shared<Searcher>(options_)) {}

Predictor::~Predictor() {
  std::lock_guard lock(searcher_->mutex);
  searcher_->ended = true;
  searcher_->changed.notify_all();
}

CodePair Predictor::codePairOf(const Race& race) const {
  return searcher_->codePair(race.first.site, race.second.site);
}

void Predictor::candidate(const Race& race) {
  Candidates& c = candidates_[codePairOf(race)];
  if (c.witnessed) return;
  c.fresh = true;
  ++fresh_;
  if (c.first.size() < kFirst) {
    c.first.push_back(race);
  } else if (c.last.size() < kLast) {
    c.last.push_back(race);
  } else {
    c.last[c.next] = race;
    c.next = (c.next + 1) % kLast;
  }
}

void Predictor::dataRace(const Race& race) {
  log_.racing(race.second.index);
  CodePair pair = codePairOf(race);
  Candidates& c = candidates_[pair];
  if (c.witnessed) return;
  c.witnessed = true;  // nothing to search for
  c.first.clear();
  c.last.clear();
  settled_.push_back(pair);
}

void Predictor::submit(bool osr, bool last) {
  if (!trusted_ || (!osr && fresh_ == 0)) return;
  Searcher& s = *searcher_;
  std::unique_lock lock(s.mutex);
  if (s.waiting) return;
  Searcher::Job job{.window = log_.window(),
                    .candidates = {},
                    .settled = std::exchange(settled_, {}),
                    .osr = osr,
                    .last = last};
  for (auto& [pair, c] : candidates_) {
    if (c.witnessed || (!c.fresh && !osr)) continue;
    c.fresh = false;
    std::vector<Race> races = c.first;
    races.insert(races.end(), c.last.begin(), c.last.end());
    std::erase_if(races, [&](const Race& r) { return r.first.index < job.window.firstIndex; });
    if (!races.empty()) job.candidates.emplace_back(pair, std::move(races));
  }
  fresh_ = 0;
  s.waiting = std::move(job);
  lock.unlock();
  // Started when there is something to do.
  if (!std::exchange(started_, true)) std::thread([shared = searcher_] { shared->run(); }).detach();
  s.changed.notify_all();
}

void Predictor::take(const std::function<void(const Prediction&)>& found) {
  std::vector<Prediction> predictions;
  std::vector<Searcher::Tried> tried;
  {
    std::lock_guard lock(searcher_->mutex);
    predictions.swap(searcher_->found);
    tried.swap(searcher_->tried);
  }
  for (const Searcher::Tried& t : tried) {
    Candidates& c = candidates_[t.pair];
    c.refused |= t.refused;
    if (!t.witnessed || c.witnessed) continue;
    c.witnessed = true;
    ++counts_.witnessed;
  }
  for (const Prediction& p : predictions) {
    candidates_[codePairOf(p.race)].witnessed = true;
    found(p);
  }
}

void Predictor::poll(bool idle, const std::function<void(const Prediction&)>& found) {
  take(found);
  if (log_.size() >= options_.window) {
    submit(options_.osr);
    log_.keepLast(options_.window / 2);
    return;
  }
  if (!idle || fresh_ == 0) return;
  {
    std::lock_guard lock(searcher_->mutex);
    if (searcher_->working || searcher_->waiting) return;
    if (Clock::now() - searcher_->rested < kRest * searcher_->took) return;
  }
  submit(false);
}

void Predictor::finish(const std::function<void(const Prediction&)>& found) {
  Searcher& s = *searcher_;
  Clock::time_point deadline = Clock::now() + seconds(options_.exitBudget);
  {
    std::unique_lock lock(s.mutex);
    s.deadline = deadline;
    s.hurry = true;
    s.changed.wait_until(lock, deadline, [&] { return !s.waiting; });
  }
  submit(options_.osr, /*last=*/true);
  {
    std::unique_lock lock(s.mutex);
    s.changed.wait_until(lock, deadline, [&] { return !s.working && !s.waiting; });
    counts_.windows = s.windows;
    counts_.rejected = s.rejected;
  }
  take(found);
  counts_.beyond = log_.begin();
  for (const auto& [pair, c] : candidates_) {
    if (c.witnessed) continue;
    ++(isUnwitnessed(c) ? counts_.unwitnessed : counts_.undecided);
  }
}

std::vector<Race> Predictor::unwitnessed() const {
  std::vector<Race> out;
  for (const auto& [pair, c] : candidates_)
    if (!c.witnessed && isUnwitnessed(c)) out.push_back(c.first.front());
  std::ranges::sort(out, {}, [](const Race& r) { return r.second.index; });
  return out;
}

}  // namespace predrace
