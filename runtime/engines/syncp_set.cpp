#include "runtime/engines/syncp_set.h"

#include <optional>

namespace predrace {
namespace {

// A section of the thread that is open at the cut, though the cut has a later conflicting one.
std::optional<uint32_t> sectionToEnd(const RecordedTrace& trace, const Cut& cut, uint32_t thread) {
  for (uint32_t acquire : trace.openAfter(thread, cut[thread]))
    if (trace.takenLater(cut, acquire)) return acquire;
  return std::nullopt;
}

}  // namespace

bool closeSyncPreserving(const RecordedTrace& trace, Cut* cut) {
  for (bool grown = true; grown;) {
    grown = false;
    for (uint32_t t = 0; t < trace.threads(); ++t) {
      // What is open may change with every release that joins the cut.
      while (std::optional<uint32_t> open = sectionToEnd(trace, *cut, t)) {
        uint32_t release = trace.partner(*open);
        if (release == kNone) return false;
        trace.include(*cut, release);
        grown = true;
      }
    }
  }
  return true;
}

}  // namespace predrace
