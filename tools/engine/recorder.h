// Recorder: the very events that the engine sees, for the record= file.
//
// Not thread-safe. An Engine itself, so that it sits beside the analysing one and
// hears the same. A variable may turn out to be several after it was recorded, so
// events are spooled in binary (in an unlinked temporary file) and become text at
// the end, when each variable's final pieces are known.
//
// Invariants
//  (1) An identity is one life of one number (lives.h). An event on a variable's identity is
//      an event on each of its leaves.
//  (2) Leaves that ever live at the same time have different first bytes, so address
//      and generation name a leaf.
#ifndef PREDRACE_TOOLS_ENGINE_RECORDER_H
#define PREDRACE_TOOLS_ENGINE_RECORDER_H

#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "runtime/engines/engine.h"
#include "runtime/engines/lives.h"
#include "tools/engine/variables.h"

namespace predrace {

class Recorder final : public Engine {
 public:
  Recorder();
  ~Recorder() override;
  // Where variables are. Set before the first event.
  void setVariables(const Variables* variables) { variables_ = variables; }

  void on(const Event& e) override;
  void finish() override {}
  void splitVariable(uint32_t from, uint32_t to) override;
  void forgetVariable(uint32_t variable) override { lives_.forget(variable); }
  void forgetChannel(uint32_t channel) override { channels_.forget(channel); }
  void forgetLock(uint32_t lock) override { locks_.forget(lock); }
  void forgetObject(uint32_t object) override { objects_.forget(object); }
  size_t memoryBytes() const override { return pieces_.size() * sizeof(Piece); }
  uint64_t fold(size_t) override { return 0; }

  // Each event on final variables. Event::index is the recorded index times kMaxPieces, plus
  // which piece it is; targets are identities.
  void replay(const std::function<void(const Event&)>& use);
  static constexpr uint64_t kMaxPieces = kLineBytes;
  // Writes .std text to an open file. Empty if all went well, else why not.
  std::string writeText(std::FILE* file);
  // Empty if everything was kept so far, else why not.
  const std::string& error() const { return error_; }

 private:
  struct Piece {
    uint64_t address = 0;
    uint32_t generation = 0;
  };
  struct Spooled {
    Op op;
    uint32_t thread, target, site;
  };
  uint32_t pieceOf(uint32_t variable);
  void nameLeaves();

  const Variables* variables_ = nullptr;
  VariableLives lives_;
  Lives locks_, channels_, objects_;
  std::vector<Piece> pieces_;  // by variable identity
  std::FILE* spool_;
  std::string error_;
};

// Two engines that hear the same, the recorder first.
class Tee final : public Engine {
 public:
  Tee(Engine& first, Engine& second) : a_(first), b_(second) {}
  void on(const Event& e) override { a_.on(e), b_.on(e); }
  void finish() override { a_.finish(), b_.finish(); }
  void splitVariable(uint32_t from, uint32_t to) override {
    a_.splitVariable(from, to), b_.splitVariable(from, to);
  }
  void forgetVariable(uint32_t v) override { a_.forgetVariable(v), b_.forgetVariable(v); }
  void forgetChannel(uint32_t c) override { a_.forgetChannel(c), b_.forgetChannel(c); }
  void forgetLock(uint32_t l) override { a_.forgetLock(l), b_.forgetLock(l); }
  void forgetObject(uint32_t o) override { a_.forgetObject(o), b_.forgetObject(o); }
  size_t memoryBytes() const override { return a_.memoryBytes() + b_.memoryBytes(); }
  uint64_t fold(size_t target) override { return a_.fold(target) + b_.fold(target); }

 private:
  Engine &a_, &b_;
};

}  // namespace predrace

#endif  // PREDRACE_TOOLS_ENGINE_RECORDER_H
