#include "runtime/engines/online.h"

#include <algorithm>
#include <utility>

#include "runtime/engines/window_search.h"

namespace predrace {
namespace {

class SearchWitness final : public Witness {
 public:
  explicit SearchWitness(const WindowSearch& search) : search_(search) {}

  std::vector<uint64_t> schedule() const override {
    std::vector<uint64_t> out(search_.begin());
    for (uint64_t i = 0; i < out.size(); ++i) out[i] = i;
    std::vector<uint64_t> rest = search_.schedule();
    out.insert(out.end(), rest.begin(), rest.end());
    return out;
  }

 private:
  const WindowSearch& search_;
};

}  // namespace

OnlineEngine::OnlineEngine(RaceSink sink, OnlineOptions options)
    : sink_(std::move(sink)),
      options_(options),
      log_(static_cast<uint32_t>(std::clamp<uint64_t>(options.window / 4, 1, LogChunk::kEntries))),
      cp_(CpOptions{.hand_over = false}, [this](const Race& r) { found(r); }),
      logged_(cp_, log_) {}

void OnlineEngine::found(const Race& race) {
  if (race.unordered) {
    log_.racing(race.first.index, race.second.index);
    reported_.insert({race.first.index, race.second.index});
    Race told = race;
    told.firstOnVariable = raced_.insert(race.variable).second;
    sink_(told);
    return;
  }
  ++counts_.candidates;
  candidates_.emplace_back(race.first.index, race.second.index);
}

void OnlineEngine::on(const Event& e) {
  logged_.on(e);
  if (log_.size() < options_.window) return;
  search();
  log_.keepLast(options_.window / 2);
  std::erase_if(candidates_, [this](const Pair& p) { return p.first < log_.begin(); });
}

void OnlineEngine::finish() {
  cp_.finish();
  search();
}

bool OnlineEngine::report(const WindowSearch& search) {
  Race race = search.race();
  if (!reported_.insert({race.first.index, race.second.index}).second) return false;
  race.firstOnVariable = raced_.insert(race.variable).second;
  race.handOver = search.handOver();
  SearchWitness witness(search);
  race.witness = &witness;
  sink_(race);
  return true;
}

void OnlineEngine::search() {
  ++counts_.windows;
  auto never = [] { return false; };
  WindowSearch search(log_.window(), {.exactOrder = options_.exactOrder});
  std::erase_if(candidates_, [&](const Pair& p) {
    if (search.decide(p.first, p.second, never) != WindowSearch::Verdict::Witnessed) return false;
    counts_.witnessed += 1;
    report(search);
    return true;
  });
  if (options_.osr) search.search({}, [&] { counts_.found += report(search); }, never);
  counts_.rejected += search.rejected();
}

std::string OnlineEngine::notes() const {
  return std::to_string(counts_.candidates) + " candidates, " + std::to_string(counts_.witnessed) +
         " of them with a schedule; " + std::to_string(counts_.found) + " more races in " +
         std::to_string(counts_.windows) + (counts_.windows == 1 ? " window" : " windows");
}

}  // namespace predrace
