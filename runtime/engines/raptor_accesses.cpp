#include "runtime/engines/raptor_accesses.h"

#include <utility>

namespace predrace::raptor {

Accesses::Accesses(Owners& owners, Locks& locks, RaceSink sink)
    : owners_(owners), locks_(locks), sink_(std::move(sink)) {}

Accesses::VariableRef& Accesses::variableOf(uint32_t number) {
  VariableRef& v = variables_[number];
  if (!v) v = std::make_shared<Variable>(number);
  return v;
}

// Algorithm 2, lines 2-7; Algorithm 8, lines 3-7.
void Accesses::ruleA(Starred& starred, uint32_t thread, cp::Kind kind) {
  for (Section held : locks_.heldBy(thread)) {
    if (uint32_t j = starred.latest(held.lock, thread, kind)) locks_.conflict({held.lock, j}, thread);
    starred.note(held, thread, kind);
  }
}

void Accesses::access(const Event& e) {
  VariableRef& v = variableOf(e.target);
  cp::Kind kind = cp::kindOf(e.op);
  RacingAccess second{e.index, e.thread, e.site, kNone, e.op};
  ruleA(v->starred, e.thread, kind);
  for (Owners::Access first : v->generation) {
    bool conflicting = cp::kConflicts[kind] & cp::bit(first->kind);
    if (conflicting && first->sets.po() != e.thread && !first->markedBy(e.thread)) check(*v, first, second);
  }
  supersede(*v, e.thread, kind);
  owners_.accesses.push_back({.sets = Locksets(e.thread), .access = second, .kind = kind, .marked = {}});
  v->generation.push_back(std::prev(owners_.accesses.end()));
  decide(*v);
  if (!v->checks.empty() && !v->waiting) {
    v->waiting = true;
    waiting_.push_back(v);
  }
}

// Algorithm 2, lines 9-20; Algorithm 8, lines 9-20.
void Accesses::check(Variable& v, Owners::Access first, const RacingAccess& second) {
  first->marked.push_back(second.thread);
  first->sets.transfer(thread(second.thread), mark(second.thread));
  if (!first->sets.hb(mark(second.thread))) return report(v, first->access, second, true);
  v.checks.push_back({first, second});
  ++first->undecided;
}

// The owners in whose place this access is from now on.
void Accesses::supersede(Variable& v, uint32_t thread, cp::Kind kind) {
  std::erase_if(v.generation, [&](Owners::Access o) {
    if (kind != cp::PlainWrite && (o->kind != kind || o->sets.po() != thread)) return false;
    owners_.retire(o);
    return true;
  });
}

// Algorithm 6. In the order of second accesses, so that a variable's first race comes first.
void Accesses::decide(Variable& v) {
  while (!v.checks.empty()) {
    auto [first, second] = v.checks.front();
    Element xi = mark(second.thread);
    if (!first->sets.cp(xi)) {          // line 2
      if (first->sets.ccp(xi)) return;  // line 5
      report(v, first->access, second, false);
    }
    v.checks.pop_front();
    --first->undecided;
    owners_.dropIfDone(first);
  }
}

void Accesses::decideAll() {
  for (VariableRef& v : waiting_) {
    decide(*v);
    v->waiting = !v->checks.empty();
  }
  std::erase_if(waiting_, [](const VariableRef& v) { return !v->waiting; });
}

void Accesses::report(Variable& v, const RacingAccess& first, const RacingAccess& second, bool unordered) {
  sink_({.first = first,
         .second = second,
         .variable = v.number,
         .unordered = unordered,
         .firstOnVariable = !std::exchange(v.raced, true),
         .handOver = {}});
}

void Accesses::at(uint32_t thread, uint32_t object) { ruleA(objects_[object], thread, cp::AtomicWrite); }

void Accesses::splitVariable(uint32_t from, uint32_t to) {
  auto found = variables_.find(from);
  if (found == variables_.end()) return;
  VariableRef old = found->second;
  Variable& fresh = *variableOf(to);
  fresh.starred = old->starred;
  fresh.raced = old->raced;
  for (Owners::Access o : old->generation) {
    owners_.accesses.push_back(*o);
    owners_.accesses.back().undecided = 0;  // its checks are those of `from`
    fresh.generation.push_back(std::prev(owners_.accesses.end()));
  }
}

void Accesses::forgetVariable(uint32_t variable) {
  auto found = variables_.find(variable);
  if (found == variables_.end()) return;
  for (Owners::Access o : found->second->generation) owners_.retire(o);
  variables_.erase(found);
}

void Accesses::copyLock(uint32_t from, uint32_t to) {
  for (auto& [number, v] : variables_) v->starred.copyLock(from, to);
  for (auto& [number, starred] : objects_) starred.copyLock(from, to);
}

void Accesses::forgetLock(uint32_t plain) {
  for (auto& [number, v] : variables_) v->starred.forgetLock(plain);
  for (auto& [number, starred] : objects_) starred.forgetLock(plain);
}

uint64_t Accesses::fold() {
  uint64_t folded = owners_.accesses.size();
  owners_.accesses.clear();
  objects_.clear();
  waiting_.clear();
  absl::erase_if(variables_, [](const auto& entry) { return !entry.second->raced; });
  for (auto& [number, v] : variables_) {
    v = std::make_shared<Variable>(number);
    v->raced = true;
  }
  return folded;
}

size_t Accesses::memoryBytes() const {
  constexpr size_t kListNode = 32;
  size_t bytes = variables_.capacity() * (sizeof(*variables_.begin()) + 1) +
                 objects_.capacity() * (sizeof(*objects_.begin()) + 1) +
                 waiting_.capacity() * sizeof(VariableRef);
  for (const AccessOwner& o : owners_.accesses)
    bytes += kListNode + sizeof(o) - sizeof(o.sets) + o.sets.memoryBytes() +
             o.marked.capacity() * sizeof(uint32_t);
  for (const auto& [number, v] : variables_)
    bytes += sizeof(Variable) + v->starred.memoryBytes() + v->generation.capacity() * sizeof(Owners::Access) +
             v->checks.size() * sizeof(Check);
  for (const auto& [number, starred] : objects_) bytes += starred.memoryBytes();
  return bytes;
}

}  // namespace predrace::raptor
