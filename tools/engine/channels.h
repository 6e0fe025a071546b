// Channels: numbers for hard order, counted by those who may still receive.
//
// Not thread-safe. When nobody can receive from a channel any more its number
// goes back to the engine and is used again.
#ifndef PREDRACE_TOOLS_ENGINE_CHANNELS_H
#define PREDRACE_TOOLS_ENGINE_CHANNELS_H

#include <cstdint>
#include <vector>

#include "tools/engine/emitter.h"

namespace predrace {

class Channels {
 public:
  static constexpr uint32_t kMany = kNone - 1;  // sender: more than one thread

  explicit Channels(Emitter& emitter) : emitter_(emitter) {}

  // A fresh channel with one reference. A thread's release fence may go on to be
  // part of many atomics' sequences.
  uint32_t make(bool fence = false) {
    uint32_t c;
    if (free_.empty()) {
      c = static_cast<uint32_t>(states_.size());
      states_.emplace_back();
    } else {
      c = free_.back();
      free_.pop_back();
    }
    states_[c] = {1, kNone, 0, fence};
    return c;
  }
  void ref(uint32_t c) { ++states_[c].refs; }
  void unref(uint32_t c) {
    if (--states_[c].refs != 0) return;
    emitter_.engine().forgetChannel(c);
    free_.push_back(c);
  }
  bool isFence(uint32_t c) const { return states_[c].fence; }
  uint32_t refs(uint32_t c) const { return states_[c].refs; }
  // The only thread that sent so far, kMany, or kNone.
  uint32_t sender(uint32_t c) const { return states_[c].sender; }
  // Whether everything that `older` carries is in `newer` too.
  bool covers(uint32_t newer, uint32_t older) const {
    return states_[newer].sender == states_[older].sender && states_[older].sender != kMany &&
           states_[newer].last >= states_[older].last;
  }

  void send(uint32_t c, uint32_t thread, uint32_t site) {
    uint32_t& sender = states_[c].sender;
    sender = sender == kNone || sender == thread ? thread : kMany;
    states_[c].last = emitter_.index();
    emitter_.emit(Op::Send, thread, c, site);
  }
  // Nothing to receive from oneself.
  void receive(uint32_t c, uint32_t thread, uint32_t site) {
    if (states_[c].sender != thread) emitter_.emit(Op::Receive, thread, c, site);
  }

 private:
  struct State {
    uint32_t refs, sender;
    uint64_t last;  // index of the last Send
    bool fence;
  };
  Emitter& emitter_;
  std::vector<State> states_;
  std::vector<uint32_t> free_;
};

}  // namespace predrace

#endif  // PREDRACE_TOOLS_ENGINE_CHANNELS_H
