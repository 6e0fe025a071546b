#include "runtime/engines/raptor.h"

#include <utility>

#include "absl/container/flat_hash_set.h"
#include "runtime/engines/raptor_accesses.h"
#include "runtime/engines/raptor_locks.h"
#include "runtime/engines/raptor_owners.h"

namespace predrace {

using raptor::Locksets;

struct RaptorEngine::State {
  explicit State(RaceSink sink) : locks(owners), accesses(owners, locks, std::move(sink)) {}

  void acquire(const Event& e, bool shared);
  void release(const Event& e, bool shared);
  void end(uint32_t thread);
  void fork(uint32_t parent, uint32_t child);
  void join(uint32_t parent, uint32_t child);

  raptor::Owners owners;
  raptor::Locks locks;
  raptor::Accesses accesses;
  absl::flat_hash_set<uint32_t> joined;
};

RaptorEngine::RaptorEngine(RaceSink sink) : state_(std::make_unique<State>(std::move(sink))) {}
RaptorEngine::~RaptorEngine() = default;

void RaptorEngine::State::acquire(const Event& e, bool shared) {
  if (shared)
    if (auto reader = locks.addReader(e.target, e.thread)) accesses.copyLock(reader->from, reader->to);
  locks.acquire(e.thread, e.target, shared);
}

void RaptorEngine::State::release(const Event& e, bool shared) {
  locks.release(e.thread, e.target, shared);
  accesses.decideAll();
}

void RaptorEngine::State::end(uint32_t thread) {
  locks.releaseAll(thread);
  accesses.decideAll();
}

void RaptorEngine::State::fork(uint32_t parent, uint32_t child) {
  owners.forAll([&](Locksets& rho) { rho.transferHard(raptor::thread(parent), raptor::thread(child)); });
}

void RaptorEngine::State::join(uint32_t parent, uint32_t child) {
  if (parent == child) return;
  bool again = !joined.insert(child).second;
  if (!again) end(child);
  raptor::Element ended = again ? raptor::kJoined : raptor::thread(child);
  owners.forAll([&](Locksets& rho) {
    rho.transferHard(ended, raptor::thread(parent));
    if (again) return;
    rho.transferHard(ended, raptor::kJoined);
    rho.erase(ended);
  });
}

void RaptorEngine::on(const Event& e) {
  State& s = *state_;
  switch (e.op) {
    case Op::Read:
    case Op::Write:
    case Op::Update:
    case Op::AtomicRead:
    case Op::AtomicWrite:
    case Op::AtomicUpdate:
      return s.accesses.access(e);
    case Op::Acquire:
    case Op::SharedAcquire:
      return s.acquire(e, e.op == Op::SharedAcquire);
    case Op::Release:
    case Op::SharedRelease:
      return s.release(e, e.op == Op::SharedRelease);
    case Op::Fork:
      return s.fork(e.thread, e.target);
    case Op::Join:
      return s.join(e.thread, e.target);
    case Op::Send:
      return s.owners.forAll(
          [&](Locksets& rho) { rho.transferHard(raptor::thread(e.thread), raptor::channel(e.target)); });
    case Op::Receive:
      return s.owners.forAll(
          [&](Locksets& rho) { rho.transferHard(raptor::channel(e.target), raptor::thread(e.thread)); });
    case Op::At:
      return s.accesses.at(e.thread, e.target);
    case Op::End:
      return s.end(e.thread);
    case Op::Begin:
    case Op::Branch:
    case Op::Inner:
      return;
  }
}

void RaptorEngine::finish() {
  for (uint32_t t = 0; t < state_->locks.threads(); ++t) state_->end(t);
}

void RaptorEngine::splitVariable(uint32_t from, uint32_t to) { state_->accesses.splitVariable(from, to); }
void RaptorEngine::forgetVariable(uint32_t variable) { state_->accesses.forgetVariable(variable); }
void RaptorEngine::forgetObject(uint32_t object) { state_->accesses.forgetObject(object); }

void RaptorEngine::forgetChannel(uint32_t channel) {
  state_->owners.forAll([&](Locksets& rho) { rho.erase(raptor::channel(channel)); });
}

void RaptorEngine::forgetLock(uint32_t lock) {
  for (uint32_t plain : state_->locks.forget(lock)) state_->accesses.forgetLock(plain);
}

size_t RaptorEngine::memoryBytes() const {
  return state_->locks.memoryBytes() + state_->accesses.memoryBytes() +
         state_->joined.capacity() * (sizeof(uint32_t) + 1);
}

uint64_t RaptorEngine::fold(size_t targetBytes) {
  if (memoryBytes() <= targetBytes) return 0;
  uint64_t folded = state_->accesses.fold();
  return folded + state_->locks.fold();
}

size_t RaptorEngine::owners() const {
  size_t count = 0;
  state_->owners.forAll([&](const Locksets&) { ++count; });
  return count;
}

}  // namespace predrace
