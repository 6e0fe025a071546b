// OnlineCheck: for check_online=1, the engine's verdicts compared with those of a
// fresh engine on the recorded events.
//
// The fresh engine sees final variables from the start and no number twice, so it
// has nothing to split and nothing to forget: what differs is a fault in that, in
// the engine's bounded memory, or in the recorder.
#ifndef PREDRACE_TOOLS_ENGINE_ONLINE_CHECK_H
#define PREDRACE_TOOLS_ENGINE_ONLINE_CHECK_H

#include <cstdint>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "runtime/engines/engines.h"
#include "runtime/engines/race.h"
#include "tools/engine/recorder.h"

namespace predrace {

class OnlineCheck {
 public:
  explicit OnlineCheck(const EngineRow& engine) : engine_(engine) {}

  void online(const Race& race) { note(online_, race.second.index, race); }
  // Empty if both found the same racy events, else the first difference.
  std::string compare(Recorder& recorder);

 private:
  struct Racy {
    uint32_t site;
    bool unordered;  // some pair of it is a data race
  };
  using Events = absl::flat_hash_map<uint64_t, Racy>;  // by index of the second event
  static void note(Events& events, uint64_t index, const Race& race) {
    Racy& racy = events.try_emplace(index, Racy{race.second.site, false}).first->second;
    racy.unordered |= race.unordered;
  }
  const EngineRow& engine_;
  Events online_;
};

}  // namespace predrace

#endif  // PREDRACE_TOOLS_ENGINE_ONLINE_CHECK_H
