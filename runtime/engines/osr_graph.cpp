#include "runtime/engines/osr_graph.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace predrace {
namespace {

// Takes away nodes that nothing leads to, until there are none.
bool acyclicMatrix(const std::vector<std::vector<bool>>& leads) {
  size_t n = leads.size(), left = n;
  std::vector<uint32_t> in(n, 0);
  for (const std::vector<bool>& row : leads)
    for (size_t b = 0; b < n; ++b) in[b] += row[b];
  std::vector<size_t> free;
  for (size_t b = 0; b < n; ++b)
    if (in[b] == 0) free.push_back(b);
  while (!free.empty()) {
    size_t a = free.back();
    free.pop_back();
    --left;
    for (size_t b = 0; b < n; ++b)
      if (leads[a][b] && --in[b] == 0) free.push_back(b);
  }
  return left == 0;
}

}  // namespace

// Of each thread the last conflicting release in the cut; the earlier ones lead to it.
void OsrGraph::findSources(const Cut& cut, std::span<const uint32_t> reversed) {
  sources_.clear();
  sourcesBegin_.assign(1, 0);
  latest_ = 0;
  for (uint32_t acquire : reversed) {
    const Event& e = trace_.event(acquire);
    for (const RecordedTrace::Use& use : trace_.usesOf(e.target)) {
      if (use.thread == e.thread) continue;
      uint32_t last = kNone;  // acquire
      auto consider = [&](const std::vector<uint32_t>& acquires) {
        auto outside =
            std::ranges::partition_point(acquires, [&](uint32_t a) { return trace_.contains(cut, a); });
        if (outside != acquires.begin() && (last == kNone || outside[-1] > last)) last = outside[-1];
      };
      consider(use.exclusive);
      if (e.op == Op::Acquire) consider(use.shared);
      if (last == kNone) continue;
      uint32_t release = trace_.partner(last);
      sources_.push_back({use.thread, trace_.place(release)});
      latest_ = std::max(latest_, release);
    }
    sourcesBegin_.push_back(sources_.size());
  }
}

void OsrGraph::reachFrom(const Cut& cut, uint32_t acquire) {
  std::ranges::fill(reach_, kNone);
  passed_ = cut;
  uint32_t thread = trace_.event(acquire).thread;
  reach_[thread] = trace_.place(acquire);
  waiting_.assign(1, thread);
  while (!waiting_.empty()) {
    uint32_t next = waiting_.back();
    waiting_.pop_back();
    if (reach_[next] < passed_[next]) follow(cut, next);
  }
}

// Follows the edges of the thread's events that were not reached before.
void OsrGraph::follow(const Cut& cut, uint32_t thread) {
  uint32_t from = reach_[thread], to = std::exchange(passed_[thread], from);
  for (const ForwardEdges::Link& l : edges_->linksFrom(thread)) {
    uint32_t target = l.earliest(from, to);
    if (target >= cut[l.thread] || target >= reach_[l.thread]) continue;
    if (trace_.eventsOf(l.thread)[target] > latest_) continue;
    reach_[l.thread] = target;
    waiting_.push_back(l.thread);
  }
}

bool OsrGraph::reached(size_t node) const {
  return std::ranges::any_of(sourcesOf(node), [&](const Source& s) { return reach_[s.thread] <= s.place; });
}

bool OsrGraph::acyclic(const Cut& cut, std::span<const uint32_t> reversed) {
  if (reversed.empty()) return true;
  if (!edges_) edges_.emplace(trace_);
  reach_.resize(trace_.threads());
  findSources(cut, reversed);
  std::vector<std::vector<bool>> leads(reversed.size(), std::vector<bool>(reversed.size()));
  for (size_t a = 0; a < reversed.size(); ++a) {
    reachFrom(cut, reversed[a]);
    if (reached(a)) return false;
    for (size_t b = 0; b < reversed.size(); ++b) leads[a][b] = reached(b);
  }
  return acyclicMatrix(leads);
}

std::vector<OsrGraph::BackEdge> OsrGraph::backEdges(std::span<const uint32_t> reversed) const {
  std::vector<BackEdge> back;
  for (size_t node = 0; node < reversed.size(); ++node)
    for (const Source& s : sourcesOf(node))
      back.push_back({trace_.eventsOf(s.thread)[s.place], reversed[node]});
  std::ranges::sort(back, {}, &BackEdge::release);
  return back;
}

// Every event waits for the one before it in its thread; a thread's first one waits for the start.
OsrGraph::Counts OsrGraph::countWaits(const Cut& cut, std::span<const BackEdge> back) const {
  Counts waits(cut.size());
  for (uint32_t t = 0; t < cut.size(); ++t) waits[t].assign(cut[t], 1);
  for (uint32_t t = 0; t < cut.size(); ++t)
    for (uint32_t p = 0; p < cut[t]; ++p)
      edges_->from(t, p, [&](uint32_t u, uint32_t q) {
        if (q < cut[u]) ++waits[u][q];
      });
  for (const BackEdge& b : back) ++waits[trace_.event(b.acquire).thread][trace_.place(b.acquire)];
  return waits;
}

// Takes, again and again, the event that the trace has first among those that wait for no other.
std::vector<uint32_t> OsrGraph::order(const Cut& cut, std::span<const uint32_t> reversed) {
  if (reversed.empty()) return trace_.eventsIn(cut);
  findSources(cut, reversed);
  std::vector<BackEdge> back = backEdges(reversed);
  Counts waits = countWaits(cut, back);
  std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> ready;
  auto arrive = [&](uint32_t thread, uint32_t place) {
    if (place < cut[thread] && --waits[thread][place] == 0) ready.push(trace_.eventsOf(thread)[place]);
  };
  std::vector<uint32_t> out;
  for (uint32_t t = 0; t < cut.size(); ++t) arrive(t, 0);
  while (!ready.empty()) {
    uint32_t i = ready.top(), thread = trace_.event(i).thread, place = trace_.place(i);
    ready.pop();
    out.push_back(i);
    arrive(thread, place + 1);
    edges_->from(thread, place, arrive);
    for (const BackEdge& b : std::ranges::equal_range(back, i, {}, &BackEdge::release))
      arrive(trace_.event(b.acquire).thread, trace_.place(b.acquire));
  }
  return out;
}

}  // namespace predrace
