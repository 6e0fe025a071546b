#include "runtime/engines/cp_reports.h"

#include <algorithm>

namespace predrace::cp {

void HandOverLog::add(const Moment& released, uint32_t lock, uint32_t releaseSite, uint32_t acquireSite,
                      uint64_t acquireIndex) {
  Step step{released, lock, releaseSite, acquireSite, acquireIndex};
  if (steps_.size() < kHandOvers) {
    steps_.push_back(std::move(step));
  } else {
    steps_[next_] = std::move(step);
    next_ = (next_ + 1) % kHandOvers;
  }
}

HandOver HandOverLog::find(uint32_t lane, Epoch epoch, uint64_t index, const Lanes<Epoch>& lanes,
                           uint32_t toThread) const {
  for (size_t i = 0; i < steps_.size(); ++i) {
    const Step& s = steps_[(next_ + i) % steps_.size()];
    if (s.index > index) break;
    if (s.released[lane] >= epoch)
      return {s.lock, lanes.threadAt(s.released.lane, s.released.own), toThread, s.releaseSite,
              s.acquireSite};
  }
  return {};
}

Check* Reports::enqueue(uint32_t variable) {
  if (free_.empty()) {
    owned_.push_back(std::make_unique<Check>());
    free_.push_back(owned_.back().get());
  }
  Check* c = free_.back();
  free_.pop_back();
  c->variable = variable;
  c->decided = false;
  c->queues.assign(1, variable);
  Variable& v = variables_[variable];
  Queue& q = queues_[variable];
  if (!v.queued) q.raced = v.raced;
  v.queued = true;
  q.entries.push_back({c, true});
  return c;
}

void Reports::decided(Check* c) {
  c->decided = true;
  c->C.clear();
  c->U.clear();
  auto queues = c->queues;
  for (uint64_t queue : queues) flush(queue);
}

void Reports::flush(uint64_t queue) {
  Queue& q = queues_.find(queue)->second;
  while (!q.entries.empty()) {
    Entry e = q.entries.front();
    if (e.check && !e.check->decided) return;
    q.entries.pop_front();
    if (!e.check) {
      q.raced = true;
      continue;
    }
    Check* c = e.check;
    if (e.original) emit(*c, !q.raced);
    if (!c->suspects.empty()) q.raced = true;
    c->queues.erase(std::ranges::find(c->queues, queue));
    if (c->queues.empty()) {
      c->suspects.clear();
      free_.push_back(c);
    }
  }
  if (queue < kGone) {
    Variable& v = variables_[static_cast<uint32_t>(queue)];
    v.queued = false;
    v.raced = q.raced;
  }
  queues_.erase(queue);
}

void Reports::emit(const Check& c, bool first) {
  for (const Access& a : c.suspects) {
    emit(c.variable, c.second, c.lane, a, false, first);
    first = false;
  }
}

void Reports::report(uint32_t variable, const RacingAccess& second, uint32_t lane, const Access& first,
                     bool unordered) {
  Variable& v = variables_[variable];
  emit(variable, second, lane, first, unordered, !v.raced && !v.queued);
  if (v.queued)
    queues_[variable].entries.push_back({nullptr, false});
  else
    v.raced = true;
}

void Reports::emit(uint32_t variable, const RacingAccess& second, uint32_t lane, const Access& a,
                   bool unordered, bool firstOnVariable) {
  Race r{.first = {a.index, lanes_.threadAt(a.lane, a.epoch), a.site, a.lockset, a.op},
         .second = second,
         .variable = variable,
         .unordered = unordered,
         .firstOnVariable = firstOnVariable,
         .handOver = {}};
  if (logs_ && !unordered && lane < logs_->size())
    r.handOver = (*logs_)[lane].find(a.lane, a.epoch, second.index, lanes_, second.thread);
  ++races_;
  unordered_ += unordered;
  sink_(r);
}

void Reports::split(uint32_t from, uint32_t to) {
  if (!variables_[from].queued) return;
  Queue copy = queues_[from];
  for (Entry& e : copy.entries) {
    e.original = false;
    if (e.check) e.check->queues.push_back(to);
  }
  queues_[to] = std::move(copy);
}

void Reports::forget(uint32_t variable) {
  if (!variables_[variable].queued) return;
  variables_[variable].queued = false;
  uint64_t id = gone_++;
  Queue q = std::move(queues_[variable]);
  queues_.erase(variable);
  for (Entry& e : q.entries)
    if (e.check) std::replace(e.check->queues.begin(), e.check->queues.end(), uint64_t{variable}, id);
  queues_[id] = std::move(q);
}

}  // namespace predrace::cp
