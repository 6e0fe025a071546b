// Memory: which sections can still matter, and what to give up when there is too much. The
// sweep is exact; everything else here adds order, and so can only hide races.
#include <algorithm>
#include <utility>
#include <vector>

#include "runtime/engines/wcp_analysis.h"

namespace predrace::wcp {

// Keeps the sections that rules (a) and (b) can still ask for. (a): those that a rule of a
// variable names. (b): J is found by a search with P of a release to come, which is a union
// of: P of threads and lists, H of what hard order or HB has still to pass on, H of the kept
// sections. For a union the search finds the greatest of what it finds for each; and that
// gives something new only if its release is not in the same clock as its acquire. So what
// each of these clocks has the acquire of and not the release is kept, and nothing else
// ever matters.
void Analysis::sweep() {
  std::vector<const Section*> found;
  auto keep = [&](Section* s) {
    if (!s || s->kept) return;
    s->kept = true;
    found.push_back(s);
  };
  auto keepOrPrune = [&](const Rule& r) {
    if (dead(r)) return true;
    keep(locks_[r.lock()].find(r.last));
    keep(locks_[r.lock()].find(r.other));
    return false;
  };
  variables_.prune(keepOrPrune);
  objects_.prune(keepOrPrune);
  std::vector<Lock*> doubtful;  // the lists that have any that are not kept yet
  for (uint32_t id = 1; id < locks_.count(); ++id) {
    Lock& l = locks_[id];
    if (!l.count()) continue;
    keep(&l.sections.back());
    auto first = l.sections.begin() + l.first;
    if (std::any_of(first, l.sections.end(), [](const Section& s) { return !s.kept; }))
      doubtful.push_back(&l);
  }
  size_t searches = 0;
  auto search = [&](const auto& clock) {
    for (Lock* l : doubtful)
      if (Section* s = l->locate(clock); s && s->released > clock[s->lane]) keep(s);
    searches += doubtful.size();
  };
  forEachRoot(search);
  while (!found.empty()) {
    const Section* s = found.back();
    found.pop_back();
    search(*s);
  }
  for (Lock* l : doubtful) locks_.eraseIf(*l, [](const Section& s) { return !s.kept; });
  for (uint32_t id = 1; id < locks_.count(); ++id)
    for (Section& s : locks_[id].sections) s.kept = false;
  // Not again before so much has happened that this cost little, or memory has grown eightfold.
  size_t left = locks_.sections(), least = std::max<size_t>(options_.sections, left);
  size_t cost = searches / 16 + variables_.chunks() * Variables::kChunk / 16;
  sweepAt_ = left + std::clamp(cost, least, 8 * least);
}

// Every clock that may go into P of a release to come, those of sections apart.
template <class F>
void Analysis::forEachRoot(F f) {
  for (const Thread& t : threads_) {
    f(now(t));
    f(t.P);
  }
  for (uint32_t id = 1; id < locks_.count(); ++id) f(locks_[id].P);
  for (const Moment& m : forked_)
    if (m) f(m);
  for (const auto& [number, m] : ended_) f(m);
  f(endedLongAgo_);
  for (size_t c = 0; c < channels_.chunks(); ++c)
    for (uint32_t i = 0; channels_.chunk(c) && i < channels_.kChunk; ++i)
      if (const Moment& m = channels_.chunk(c)[i].sent) f(m);
}

// From now on this section of the list, and those before it, count as before all later ones.
void Analysis::order(uint32_t list, uint32_t section) {
  Lock& l = locks_[list];
  if (section <= l.ordered) return;
  auto s = std::lower_bound(l.sections.begin() + l.first, l.sections.end(), section,
                            [](const Section& a, uint32_t n) { return a.number < n; });
  bool open = s == l.sections.end();
  for (Thread& t : threads_)
    for (Hold& h : t.held) {
      bool concerned = h.list == list || h.main == list || (h.main == l.main && !h.shared);
      if (open)
        h.whole |= h.section == section;
      else if (concerned)
        s->joinInto(pool_, t.P);
    }
  if (open) return;
  s->joinInto(pool_, l.P);
  l.raised = true;
  locks_.order(l, &*s);
}

// The numbers of sections run out: they start anew, all sections so far being ordered.
void Analysis::restart() {
  for (uint32_t id = 1; id < locks_.count(); ++id) {
    Lock& l = locks_[id];
    if (l.count()) {
      order(id, l.sections.back().number);
      l.sections.back().number = 0;
    }
    if (l.ordered != kNone) l.ordered = 0;
  }
  auto all = [](const Rule&) { return true; };
  variables_.prune(all);
  objects_.prune(all);
  latest_ = 0;
  for (Thread& t : threads_)
    for (Hold& h : t.held) {
      h.section = ++latest_;
      h.given = 0;
      h.whole = true;
    }
}

size_t Analysis::memoryBytes() const {
  return pool_.memoryBytes() + locks_.memoryBytes() + variables_.memoryBytes() + objects_.memoryBytes() +
         channels_.memoryBytes() + lanes_.memoryBytes() +
         (forked_.capacity() + ended_.capacity()) * sizeof(Moment) + threads_.capacity() * sizeof(Thread);
}

// The older half of each list's sections.
uint64_t Analysis::foldSections() {
  size_t before = locks_.sections();
  for (uint32_t id = 1; id < locks_.count(); ++id) {
    Lock& l = locks_[id];
    if (l.count() < 2) continue;
    order(id, l.sections[l.first + l.count() / 2].number);
    locks_.eraseIf(l, [](const Section&) { return false; });
  }
  return before - locks_.sections();
}

// Variables in the order of their last use, a chunk at a time. A section that rule (a)
// can then not find any more counts as before all later ones of its list.
uint64_t Analysis::foldVariables(size_t targetBytes) {
  std::vector<std::pair<uint64_t, size_t>> byUse;
  auto inChunk = [&](size_t chunk, auto action) {
    for (uint32_t i = 0; i < Variables::kChunk; ++i)
      action(static_cast<uint32_t>(chunk) * Variables::kChunk + i);
  };
  for (size_t c = 0; c < variables_.chunks(); ++c) {
    if (!variables_.has(c)) continue;
    uint64_t latest = 0;
    bool raced = false;
    inChunk(c, [&](uint32_t x) {
      Variable& v = variables_[x];
      raced |= v.raced;
      Variables::forEach(v, [&](const Access& a) { latest = std::max(latest, a.index); });
    });
    if (!raced) byUse.emplace_back(latest, c);
  }
  std::ranges::sort(byUse);
  uint64_t folded = 0;
  for (auto [latest, c] : byUse) {
    if (memoryBytes() <= targetBytes) break;
    inChunk(c, [&](uint32_t x) {
      Variables::forEach(variables_[x], [&](const Access&) { ++folded; });
      Variables::forEachRule(variables_.rules(x), [&](const Rule& r) { order(r.lock(), r.last); });
    });
    variables_.dropChunk(c);
  }
  return folded;
}

uint64_t Analysis::fold(size_t targetBytes) {
  if (memoryBytes() <= targetBytes) return 0;
  sweep();
  uint64_t folded = 0;
  while (memoryBytes() > targetBytes) {
    uint64_t sections = foldSections();
    if (!sections) break;
    folded += 2 * sections;
  }
  if (memoryBytes() > targetBytes) folded += foldVariables(targetBytes);
  return folded;
}

}  // namespace predrace::wcp
