// RapidText: a trace in the operations that RAPID and its kin know: r w acq rel fork join begin
// end branch. What C and C++ need beyond them becomes small critical sections:
// - snd(c), rcv(c), at(o): a section of a lock of its own, with a write (rcv: a read) of a
//   variable of its own, so that every relation that orders conflicting sections orders them.
// - an atomic access: the same access in a section of a lock of the variable's own.
// - a shared section of l by thread t: one of the lock l@t; an exclusive one takes l and every
//   l@t. So the trace is read twice: note() all events first, then write() them.
// Order is only ever added (two snd, and atomic accesses, become ordered): who analyses the text
// may miss races of the original, and finds none that are not there. Re-entrant sections are flat.
#ifndef PREDRACE_TRACE_RAPID_H
#define PREDRACE_TRACE_RAPID_H

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "runtime/engines/event.h"
#include "runtime/trace/names.h"
#include "runtime/trace/trace_reader.h"

namespace predrace {

class RapidText {
 public:
  // First pass.
  void note(const Event& e) {
    if (e.op == Op::SharedAcquire) readers_.emplace(e.target, e.thread);
  }
  // After it: the names of the whole trace.
  void noted(const TraceNames& names);
  // Second pass. `names` gives the same numbers as in the first.
  void write(const Event& e, const TraceNames& names, TraceWriter* to) const;

 private:
  std::string own(std::string_view kind, std::string_view name) const {
    return prefix_ + std::string(kind) + "." + std::string(name);
  }

  std::set<std::pair<uint32_t, uint32_t>> readers_;  // lock, thread
  std::string prefix_ = "predrace.";                 // no name of the trace begins with it
};

}  // namespace predrace

#endif  // PREDRACE_TRACE_RAPID_H
