#include "tools/engine/predictor.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <new>
#include <optional>
#include <thread>

#include "absl/container/flat_hash_set.h"

namespace predrace {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kNice = 19;           // of the thread beside the run, which comes first
constexpr double kPairSeconds = 2;  // for one candidate
// An idle program's window is searched no sooner than this many times as long as the last search took.
constexpr int kRest = 10;
// What a search may take, next to the window's 12 bytes an event.
constexpr size_t kSearchBytes = size_t{3} << 29;

Clock::duration seconds(double s) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(s));
}

}  // namespace

// Everything that the threads use together is guarded by the mutex. A searching thread owns a share, so it
// may outlive the Predictor when it is left behind in the middle of a search.
struct Predictor::Searcher {
  struct Wanted {
    CodePair pair;
    std::vector<Race> races;
    uint64_t told;  // as in Candidates
  };
  struct Job {
    LogWindow window;
    std::vector<Wanted> candidates;
    std::vector<CodePair> settled;
    bool osr = true;
    uint64_t dataRaces = 0;
  };
  struct Tried {
    CodePair pair;
    uint64_t told;
    bool witnessed, refused;  // neither: there was no time for all of them
  };

  explicit Searcher(const PredictorOptions& o) : options(o) {}

  const PredictorOptions options;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Job> jobs;
  bool working = false, ended = false;
  bool atEnd = false;  // of the run: the thread beside it hands back what it has not done
  Clock::time_point deadline = Clock::time_point::max();
  Clock::duration took{};
  Clock::time_point rested = Clock::now();
  std::vector<Prediction> found;
  std::vector<Tried> tried;
  uint64_t windows = 0, rejected = 0;

  // The searching thread's; there is one at a time.
  absl::flat_hash_set<CodePair> settled;  // told, or data races of the engine
  absl::flat_hash_set<CodePair> racing;   // seen to be data races: not to be seen again, but candidates count

  bool busy() const { return working || !jobs.empty(); }  // REQUIRES: the mutex is held
  void runBeside();
  void runAtEnd();
  void next(std::unique_lock<std::mutex>& lock, bool beside);
  void search(Job& job, const WindowSearch::Stop& stop);
  bool mustStop(bool beside) {
    std::lock_guard lock(mutex);
    return ended || (beside && atEnd) || Clock::now() >= deadline;
  }
  CodePair codePair(uint32_t a, uint32_t b) const {
    uint64_t x = options.pcOf(a), y = options.pcOf(b);
    return {std::min(x, y), std::max(x, y)};
  }
  void report(const WindowSearch& search, const Job& job) {
    Prediction p{.race = search.race(),
                 .firstLocks = {},
                 .secondLocks = {},
                 .schedule = search.outline(options.steps),
                 .dataRaces = job.dataRaces};
    p.race.handOver = search.handOver();
    p.firstLocks = search.locksOf(p.race.first.lockset);
    p.secondLocks = search.locksOf(p.race.second.lockset);
    std::lock_guard lock(mutex);
    found.push_back(std::move(p));
  }
};

void Predictor::Searcher::runBeside() {
  setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), kNice);
  std::unique_lock lock(mutex);
  while (true) {
    changed.wait(lock, [&] { return ended || atEnd || !jobs.empty(); });
    if (ended || atEnd) return;
    next(lock, /*beside=*/true);
  }
}

void Predictor::Searcher::runAtEnd() {
  std::unique_lock lock(mutex);
  while (!jobs.empty() && !ended) next(lock, /*beside=*/false);
}

// Takes the next job and does it.
void Predictor::Searcher::next(std::unique_lock<std::mutex>& lock, bool beside) {
  Job job = std::move(jobs.front());
  jobs.pop_front();
  working = true;
  lock.unlock();
  Clock::time_point start = Clock::now();
  try {
    search(job, [&] { return mustStop(beside); });
  } catch (const std::bad_alloc&) {
    job.candidates.clear();  // too much for this machine: they stay undecided
  }
  lock.lock();
  working = false;
  ++windows;
  rested = Clock::now();
  took = rested - start;
  if (beside && atEnd && !job.candidates.empty()) {
    job.osr = false;  // the last window comes first
    jobs.push_front(std::move(job));
  }
  changed.notify_all();
}

// Takes out of the job what is done.
void Predictor::Searcher::search(Job& job, const WindowSearch::Stop& stop) {
  settled.insert(job.settled.begin(), job.settled.end());
  if (stop()) return;
  WindowSearch search(job.window, {.exactOrder = false, .bytes = kSearchBytes});
  for (; !job.candidates.empty() && !stop(); job.candidates.pop_back()) {
    const auto& [pair, races, told] = job.candidates.back();
    if (settled.contains(pair)) continue;
    Tried t{.pair = pair, .told = told, .witnessed = false, .refused = true};
    for (const Race& race : races) {
      Clock::time_point end = Clock::now() + seconds(kPairSeconds);
      auto verdict =
          search.decide(race.first.index, race.second.index, [&] { return Clock::now() >= end || stop(); });
      t.witnessed = verdict == WindowSearch::Verdict::Witnessed;
      if (verdict == WindowSearch::Verdict::Undecided) t.refused = false;
      if (t.witnessed || (!t.refused && stop())) break;
    }
    if (t.witnessed) {
      settled.insert(pair);
      report(search, job);
    } else if (!t.refused && stop()) {
      break;  // it is not done
    }
    std::lock_guard lock(mutex);
    tried.push_back(t);
  }
  if (job.osr) {
    search.search(
        [&](uint32_t a, uint32_t b) {
          CodePair pair = codePair(a, b);
          return !settled.contains(pair) && !racing.contains(pair);
        },
        [&] {
          Race race = search.race();
          CodePair pair = codePair(race.first.site, race.second.site);
          if (race.unordered)
            racing.insert(pair);  // the engine tells data races, this one or a later one of its thread
          else if (!racing.contains(pair) && settled.insert(pair).second)
            report(search, job);
        },
        stop);
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
  ++c.told;
  if (c.witnessed || c.settled) return;
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
  ++dataRaces_;
  log_.racing(race.first.index, race.second.index);
  CodePair pair = codePairOf(race);
  Candidates& c = candidates_[pair];
  if (c.witnessed || c.settled) return;
  c.settled = true;
  c.first.clear();
  c.last.clear();
  settled_.push_back(pair);
}

// Hands the window over.
void Predictor::submit(bool osr) {
  Searcher::Job job{.window = log_.window(),
                    .candidates = {},
                    .settled = std::exchange(settled_, {}),
                    .osr = osr,
                    .dataRaces = dataRaces_};
  for (auto& [pair, c] : candidates_) {
    if (c.witnessed || c.settled || (c.submitted == c.told && !osr)) continue;
    c.submitted = c.told;
    std::vector<Race> races = c.first;
    races.insert(races.end(), c.last.begin(), c.last.end());
    std::erase_if(races, [&](const Race& r) { return r.first.index < job.window.firstIndex; });
    if (!races.empty()) job.candidates.push_back({pair, std::move(races), c.told});
  }
  fresh_ = 0;
  std::lock_guard lock(searcher_->mutex);
  searcher_->jobs.push_back(std::move(job));
  searcher_->changed.notify_all();
}

// The same, if that is worth while now and the thread beside the run has nothing else to do.
void Predictor::submitBeside(bool osr) {
  if (!trusted_ || (!osr && fresh_ == 0)) return;
  {
    std::lock_guard lock(searcher_->mutex);
    if (searcher_->busy()) return;
    if (!osr && Clock::now() - searcher_->rested < kRest * searcher_->took) return;
  }
  submit(osr);
  // Started when there is something to do.
  if (!std::exchange(beside_, true)) std::thread([shared = searcher_] { shared->runBeside(); }).detach();
}

void Predictor::take() {
  std::vector<Prediction> predictions;
  std::vector<Searcher::Tried> tried;
  {
    std::lock_guard lock(searcher_->mutex);
    predictions.swap(searcher_->found);
    tried.swap(searcher_->tried);
  }
  for (const Searcher::Tried& t : tried) {
    Candidates& c = candidates_[t.pair];
    if (t.refused) c.refused = t.told;
  }
  for (Prediction& p : predictions) {
    candidates_[codePairOf(p.race)].witnessed = true;
    held_.push_back(std::move(p));
  }
}

// What rests, or would rest, on a window taken before a data race. REQUIRES: nobody searches, and the mutex
// is held.
void Predictor::dropDoubtful() {
  std::erase_if(searcher_->jobs, [this](const Searcher::Job& job) {
    if (job.dataRaces == dataRaces_) return false;
    for (const Searcher::Wanted& w : job.candidates) {
      candidates_[w.pair].submitted = 0;
      fresh_ += w.told;
    }
    return true;
  });
  std::erase_if(held_, [this](const Prediction& p) {
    if (p.dataRaces == dataRaces_) return false;
    CodePair pair = codePairOf(p.race);
    Candidates& c = candidates_[pair];
    c.witnessed = false;
    c.submitted = 0;  // to be tried again
    fresh_ += c.told;
    searcher_->settled.erase(pair);
    return true;
  });
}

void Predictor::poll(bool idle) {
  take();
  if (log_.size() >= options_.window) {
    submitBeside(options_.osr);
    log_.keepLast(options_.window / 2);
  } else if (idle && fresh_ != 0) {
    submitBeside(false);
  }
}

void Predictor::finish(const std::function<void(const Prediction&)>& found) {
  Searcher& s = *searcher_;
  Clock::time_point deadline = Clock::now() + seconds(options_.exitBudget);
  std::unique_lock lock(s.mutex);
  s.deadline = deadline;
  s.atEnd = true;
  s.changed.notify_all();
  if (s.changed.wait_until(lock, deadline, [&] { return !s.working; })) {
    lock.unlock();
    take();
    lock.lock();
    dropDoubtful();
    lock.unlock();
    if (trusted_ && (options_.osr || fresh_ != 0)) submit(options_.osr);
    // Not this one's priority, and not this thread: it must be able to leave the search behind.
    std::thread([shared = searcher_] { shared->runAtEnd(); }).detach();
    lock.lock();
    s.changed.wait_until(lock, deadline, [&] { return !s.busy(); });
  }
  counts_.windows = s.windows;
  counts_.rejected = s.rejected;
  lock.unlock();
  take();
  std::erase_if(held_,
                [this](const Prediction& p) { return p.dataRaces != dataRaces_; });  // no time to look again
  for (const Prediction& p : held_) found(p);
  counts_.beyond = log_.begin();
  for (const auto& [pair, c] : candidates_) {
    if (c.settled || c.told == 0) continue;
    ++(c.witnessed ? counts_.witnessed : isUnwitnessed(c) ? counts_.unwitnessed : counts_.undecided);
  }
}

std::vector<Race> Predictor::unwitnessed() const {
  std::vector<Race> out;
  for (const auto& [pair, c] : candidates_)
    if (isUnwitnessed(c)) out.push_back(c.first.front());
  std::ranges::sort(out, {}, [](const Race& r) { return r.second.index; });
  return out;
}

}  // namespace predrace
