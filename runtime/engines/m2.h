// M2Engine: races that a reordering can show, also against the order of lock hand-overs
// (Pavlogiannis, POPL 2020: "Fast, Sound, and Effectively Complete Dynamic Race Prediction").
//
// For each access, the earlier ones that it may race with (candidates.h) are decided one by one, latest
// first, until one is a race: see m2_decision.h. A group of candidates ends at the first that must
// precede the access, since those before it must too.
//
// A pair that is refused is counted as certain if no schedule at all can show it. With none
// uncertain, the engine has missed nothing: it is complete for this trace. Not thread-safe.
#ifndef PREDRACE_ENGINES_M2_H
#define PREDRACE_ENGINES_M2_H

#include <cstdint>
#include <string>

#include "runtime/engines/recording.h"

namespace predrace {

class M2Engine final : public RecordingEngine {
 public:
  using RecordingEngine::RecordingEngine;

  // Pairs that were decided; an access is done with its first race.
  struct Counts {
    uint64_t races = 0;
    uint64_t refused = 0;    // certainly no race
    uint64_t uncertain = 0;  // not found to be a race, though some schedule may show it
    bool complete() const { return uncertain == 0; }
  };
  const Counts& counts() const { return counts_; }
  std::string notes() const override;

 private:
  void decide(const RecordedTrace& trace) override;

  Counts counts_;
};

}  // namespace predrace

#endif  // PREDRACE_ENGINES_M2_H
