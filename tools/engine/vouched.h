// Vouched: an engine that predicts, with what its theorem asks for before a prediction is believed.
//
// Partial orders weaker than happens-before promise a real race only for the first one, between accesses that
// no schedule keeps in order, when sections are well nested. Engines report all pairs of their order;
// this wrapper fills Race::mustOrdered and knows whether sections are nested. CpEngine does both itself, more
// exactly: a race that an engine holds back is judged here by the order known when it is told,
// which may be more than was there at its second access. So a race may be missed, never invented.
//
// Not thread-safe.
#ifndef PREDRACE_TOOLS_ENGINE_VOUCHED_H
#define PREDRACE_TOOLS_ENGINE_VOUCHED_H

#include <memory>
#include <vector>

#include "runtime/engines/engines.h"
#include "runtime/engines/must_order.h"

namespace predrace {

class Vouched final : public Engine {
 public:
  Vouched(const EngineRow& row, RaceSink sink);

  void on(const Event& e) override;
  void finish() override;
  void expect(const Event& e) override;
  void splitVariable(uint32_t from, uint32_t to) override;
  void forgetVariable(uint32_t variable) override;
  void forgetChannel(uint32_t channel) override;
  void forgetLock(uint32_t lock) override { engine_->forgetLock(lock); }
  void forgetObject(uint32_t object) override;
  size_t memoryBytes() const override { return engine_->memoryBytes() + must_.memoryBytes(); }
  uint64_t fold(size_t targetBytes) override;

  // Every release so far ended the latest section of its thread.
  bool wellNested() const { return wellNested_; }

 private:
  void access(const Event& e);
  void synchronise(const Event& e);
  void ask(bool ofReads);
  void tell();

  RaceSink sink_;
  std::vector<Race> found_;  // by the present event
  std::unique_ptr<Engine> engine_;
  MustOrder must_;
  std::vector<std::vector<uint64_t>> held_;  // by thread: lock << 1 | shared, the latest last
  bool wellNested_ = true;
};

}  // namespace predrace

#endif  // PREDRACE_TOOLS_ENGINE_VOUCHED_H
