#include "tools/engine_bench/workload.h"

namespace predrace {
namespace {

constexpr uint32_t kFunctions = 125, kFunctionSites = 8;

constexpr Shape kShapes[] = {
    {.name = "ordinary_64", .variables = 48, .privates = 2, .burst = 16, .astray = 1e-4, .outside = 0.5},
    {.name = "ordinary_100k",
     .variables = 75000,
     .privates = 3125,
     .burst = 16,
     .astray = 1e-4,
     .outside = 0.5},
    {.name = "guarded_64", .variables = 64},
    {.name = "guarded_1k"},
    {.name = "guarded_100k", .variables = 100000},
    {.name = "outside_100k", .variables = 100000, .outside = 0.8},
    {.name = "nested", .nested = 0.2},
    {.name = "some_races", .astray = 0.01},
    {.name = "all_races", .astray = 1},
    {.name = "own_locks", .locks = 64, .variables = 4096, .ownLocks = true},
    {.name = "one_lock", .locks = 1, .variables = 16},
    {.name = "long_held", .longHeld = true},
    {.name = "long_held_races", .astray = 0.1, .longHeld = true},
    {.name = "shared_locks", .shared = 0.9},
    {.name = "many_threads", .threads = 64, .locks = 5000, .variables = 100000},
};

constexpr size_t kDepth = 3;  // of nested sections

}  // namespace

std::span<const Shape> shapes() { return kShapes; }

const Shape* findShape(std::string_view name) {
  for (const Shape& s : kShapes)
    if (s.name == name) return &s;
  return nullptr;
}

Workload::Workload(const Shape& shape)
    : shape_(shape), threads_(shape.threads), owned_(shape.locks), readers_(shape.locks) {
  prologue();
}

void Workload::prologue() {
  auto add = [&](Op op, uint32_t thread, uint32_t target) { first_.push_back({op, thread, target, 0, 0}); };
  for (uint32_t t = 1; t < shape_.threads; ++t) add(Op::Fork, 0, t);
  if (!shape_.longHeld) return;
  add(Op::Acquire, 1, shape_.locks);
  add(Op::Release, 1, shape_.locks);
  add(Op::Acquire, 0, shape_.locks);
}

Event Workload::next() {
  Event e;
  if (index_ < first_.size()) {
    e = first_[index_];
  } else {
    do {
      if (left_ == 0) {
        running_ = below(shape_.threads);
        left_ = 1 + below(2 * shape_.burst - 1);
      }
      --left_;
    } while (!step(&e));
    e.thread = running_;
    e.site = threads_[running_].site++;
  }
  e.index = index_++;
  return e;
}

bool Workload::step(Event* e) {
  Thread& t = threads_[running_];
  if (t.held.empty() && chance(shape_.outside)) {
    t.site = below(kFunctions) * kFunctionSites;
    access(e);
    return true;
  }
  if (t.held.empty() || (t.held.size() < kDepth && chance(shape_.nested))) return take(e);
  if (chance(1.0 / (shape_.length + 1)))
    leave(e);
  else
    access(e);
  return true;
}

bool Workload::take(Event* e) {
  Thread& t = threads_[running_];
  uint32_t lock = shape_.ownLocks ? running_ + shape_.threads * below(shape_.locks / shape_.threads)
                                  : below(shape_.locks);
  if (!t.held.empty() && lock <= t.held.back().lock) return false;  // one order of locks: no deadlock
  bool shared = chance(shape_.shared);
  if (owned_[lock] || (!shared && readers_[lock])) return false;
  if (shared)
    ++readers_[lock];
  else
    owned_[lock] = true;
  if (t.held.empty()) t.site = below(kFunctions) * kFunctionSites;
  t.held.push_back({lock, shared});
  e->op = shared ? Op::SharedAcquire : Op::Acquire;
  e->target = lock;
  return true;
}

void Workload::leave(Event* e) {
  Thread& t = threads_[running_];
  auto [lock, shared] = t.held.back();
  t.held.pop_back();
  if (shared)
    --readers_[lock];
  else
    owned_[lock] = false;
  e->op = shared ? Op::SharedRelease : Op::Release;
  e->target = lock;
}

void Workload::access(Event* e) {
  const Thread& t = threads_[running_];
  bool read = chance(shape_.reads);
  if (chance(shape_.astray)) {
    e->target = below(shape_.variables);
  } else if (t.held.empty()) {
    e->target = shape_.variables + running_ * shape_.privates + below(shape_.privates);
  } else {
    uint32_t lock = t.held.back().lock;
    uint32_t guarded = (shape_.variables - lock + shape_.locks - 1) / shape_.locks;
    e->target = lock + shape_.locks * below(guarded);
    read |= t.held.back().shared;
  }
  e->op = read ? Op::Read : Op::Write;
}

}  // namespace predrace
