// Memory: what waits for long, and what to give up when there is too much. Everything
// here that is not exact adds order, and so can only hide races.
#include <algorithm>
#include <vector>

#include "runtime/engines/cp_analysis.h"

namespace predrace::cp {

// Checks and sections that wait for a section held for long.
void Analysis::tighten(bool give) {
  auto mostCovers = [&](const Check& c, const Access& a) {
    return std::ranges::any_of(c.U, [&](const Unknown* u) {
      Moment most = solver_.greatest(u);
      return most && a.epoch <= most[a.lane];
    });
  };
  solver_.tighten(give, [&](Check* c) {
    auto gone = std::remove_if(c->suspects.begin(), c->suspects.end(), [&](const Access& a) {
      return covered(*c, a) || (give && mostCovers(*c, a));
    });
    c->suspects.erase(gone, c->suspects.end());
    if (std::ranges::any_of(c->suspects, [&](const Access& a) { return mostCovers(*c, a); })) return false;
    decided_.push_back(c);
    return true;
  });
  std::ranges::sort(decided_, std::less(), [](const Check* c) { return c->second.index; });
  for (Check* c : decided_) reports_.decided(c);
  decided_.clear();
}

void Analysis::limitWaiting() {
  if (solver_.waiting() <= waitingLimit_) [[likely]]
    return;
  tighten(false);
  waitingLimit_ = std::max<size_t>(options_.waiting, 2 * solver_.waiting());
}

size_t Analysis::memoryBytes() const {
  return pool_.memoryBytes() + locks_.memoryBytes() + solver_.memoryBytes() + variables_.memoryBytes() +
         objects_.memoryBytes() + reports_.memoryBytes() + channels_.memoryBytes() + lanes_.memoryBytes() +
         locksets_.memoryBytes() + forked_.capacity() * sizeof(Moment) + threads_.capacity() * sizeof(Thread);
}

// Later sections of a lock count as after its section k.
void Analysis::order(uint32_t lock, uint32_t k) {
  if (k <= locks_[lock].latestJ()) return;
  locks_.order(lock, k);
  solver_.order(lock, k);
  decideReady();
}

// The older half of each lock's sections.
uint64_t Analysis::foldSections() {
  uint64_t folded = 0;
  for (uint32_t id = 1; id < locks_.count(); ++id) {
    Lock& l = locks_[id];
    if (l.forgotten || l.last <= l.zero) continue;
    uint32_t from = std::max({l.first, l.zero + 1, l.inherited + 1});
    uint32_t newest = l.holder == kNone ? l.last : l.last - 1;
    if (newest <= from) continue;
    order(id, from + (newest - from + 1) / 2);
    locks_.trim(id, [&](uint32_t lock) { return solver_.lowestJ(lock); });
    folded += std::max(l.first, from) - from;
  }
  return folded;
}

// Variables in the order of their last use, a chunk at a time. A section that rule (a)
// can then not find any more counts as before all later ones of its lock.
uint64_t Analysis::foldVariables(size_t targetBytes) {
  std::vector<std::pair<uint64_t, size_t>> byUse;
  auto inChunk = [&](size_t chunk, auto action) {
    for (uint32_t i = 0; i < Variables::kChunk; ++i)
      action(static_cast<uint32_t>(chunk) * Variables::kChunk + i);
  };
  for (size_t c = 0; c < variables_.chunks(); ++c) {
    if (!variables_.has(c)) continue;
    uint64_t latest = 0;
    bool marked = false;
    inChunk(c, [&](uint32_t x) {
      Variable& v = variables_[x];
      marked |= v.raced || v.queued;
      Variables::forEach(v, [&](const Access& a) { latest = std::max(latest, a.index); });
    });
    if (!marked) byUse.emplace_back(latest, c);
  }
  std::ranges::sort(byUse);
  uint64_t folded = 0;
  for (auto [latest, c] : byUse) {
    if (memoryBytes() <= targetBytes) break;
    inChunk(c, [&](uint32_t x) {
      Variables::forEach(variables_[x], [&](const Access&) { ++folded; });
      Variables::forEachRule(variables_.rules(x), [&](const Rule& r) {
        if (const Lock& l = locks_[r.lock()]; l.last > l.zero) order(r.lock(), std::min(r.last, l.last));
      });
    });
    variables_.dropChunk(c);
  }
  return folded;
}

uint64_t Analysis::fold(size_t targetBytes) {
  uint64_t folded = 0;
  if (memoryBytes() <= targetBytes) return 0;
  for (Thread& t : threads_) publish(t);
  folded += solver_.waiting();
  tighten(true);
  while (memoryBytes() > targetBytes) {
    uint64_t sections = foldSections();
    folded += 2 * sections;
    if (!sections) break;
  }
  if (memoryBytes() > targetBytes) folded += foldVariables(targetBytes);
  stats_.folded += folded;
  return folded;
}

}  // namespace predrace::cp
