// OsrSet: the events that a reordering needs to bring two accesses next to each other,
// if it closes sections whenever it can (Shi, Mathur, Pavlogiannis, ICSE 2024, Lemma 4.1).
//
// The smallest TRF-closed cut that has what comes before both accesses and, of each section
// that begins in it, the end; unless the end's own past has one of the two accesses. Sections that stay
// open stay open for good: each end is judged by its own past alone.
//
// The set of (i', j) contains that of (i, j) if i comes before i' in one thread (Lemma 4.3), so a walk
// through a thread's accesses from the earliest on extends one set.
// Not thread-safe.
#ifndef PREDRACE_ENGINES_OSR_SET_H
#define PREDRACE_ENGINES_OSR_SET_H

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/engines/recorded_trace.h"

namespace predrace {

class OsrSet {
 public:
  // REQUIRES: the trace outlives it.
  explicit OsrSet(const RecordedTrace& trace);

  // The second access.
  void start(uint32_t j);
  // Does the thread's event i come before j in any case? Then so do all earlier ones of the thread.
  bool mustPrecede(uint32_t thread, uint32_t i) const { return i < after_[thread]; }
  // Forgets the first access.
  void restart() { cut_ = before_; }
  // The first access. REQUIRES: since start or restart only earlier ones of its thread;
  // !mustPrecede(its thread, i).
  void extend(uint32_t i);

  const Cut& cut() const { return cut_; }
  // Are the open sections of each lock without conflict?
  enum class Fit {
    Yes,
    No,     // no reordering has exactly this set
    Never,  // nor has it that of j and any later access of the same thread under the same locks
  };
  Fit fit();
  // The open acquires that the trace has before a conflicting section that is in the set, closed. They
  // must go behind it; all other events can stay where they are. REQUIRES: they fit.
  std::span<const uint32_t> reversed();

 private:
  // What is open on a lock, of any kind and exclusively; the same of sections that stay open.
  struct Holders {
    uint64_t round = 0;  // of the call of fit() that this is about
    bool any = false, exclusive = false;
    bool anyForGood = false, exclusiveForGood = false;
  };

  bool closeSections(uint32_t thread);
  bool staysOpen(uint32_t acquire) const;

  const RecordedTrace& trace_;
  uint32_t i_ = kNone, j_ = kNone;
  Cut before_, cut_;              // before_: the past of j alone
  std::vector<uint32_t> after_;   // by thread: its first event that is not in before_, or past all
  std::vector<uint32_t> judged_;  // by thread: the component of cut_ whose open sections are known
  std::vector<uint32_t> reversed_;
  std::vector<Holders> holders_;  // by lock
  uint64_t round_ = 0;
};

}  // namespace predrace

#endif  // PREDRACE_ENGINES_OSR_SET_H
