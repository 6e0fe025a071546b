// Report: everything a report says, as plain data.
//
// Built once, by whoever found the race; renderers (text.h) only read it.
#ifndef PREDRACE_REPORT_RECORD_H
#define PREDRACE_REPORT_RECORD_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace predrace {

struct Frame {
  uint64_t pc = 0;
  std::string function, file;  // empty: not known
  int line = 0, column = 0;
  std::string module;  // empty: not known
  uint64_t offset = 0;
};
using Stack = std::vector<Frame>;  // innermost first

constexpr uint32_t kNobody = ~0u;

struct ReportThread {
  uint32_t id = 0;
  bool main = false;
  bool finished = false;
  uint32_t creator = kNobody;
  bool creatorIsMain = false;
  Stack creation;
};

struct ReportMutex {
  uint32_t number = 0;
  uint64_t address = 0;
  Stack creation;
  std::string name = {};  // of a global; empty: not known
};

struct ReportAccess {
  bool write = false, atomic = false;
  uint64_t address = 0, size = 0;
  uint32_t thread = 0;
  bool threadIsMain = false;
  struct Held {
    uint32_t mutex;
    bool shared;
  };
  std::vector<Held> held;
  Stack stack;
};

// What ordered the two accesses in this run, and is the other way round in the schedule.
struct ReportHandOver {
  uint32_t mutex;
  uint32_t from, to;
  bool fromIsMain = false, toIsMain = false;
  Stack release, acquire;
};

// One step of the schedule that shows a predicted race.
struct ReportStep {
  uint32_t thread = 0;
  bool threadIsMain = false;
  std::string what;      // in the present tense, without the thread: "acquires M0", "writes 'x'", "joins T2"
  Frame where;           // may be empty
  uint64_t skipped = 0;  // steps right before it that are not shown
};

// How another schedule of the same events brings the two accesses together.
struct ReportSchedule {
  uint64_t before = 0;            // steps that come first, as in this run; not shown
  std::vector<ReportStep> steps;  // those that are shown, in their order; the two accesses not included
  uint64_t skipped = 0;           // steps behind them that are not shown
};

struct ReportLocation {
  enum class Kind { Unknown, Global, Heap, Stack, Tls, Mapping };
  Kind kind = Kind::Unknown;
  std::string name;    // of a global
  std::string module;  // of a global
  uint64_t offset = 0;
  uint64_t address = 0, size = 0;
  uint32_t thread = 0;  // that allocated it, or whose stack it is
  bool threadIsMain = false;
  Stack allocation;
};

struct Report {
  enum class Kind { DataRace, PredictedDataRace, LocksetViolation };
  Kind kind = Kind::DataRace;
  uint32_t pid = 0;
  ReportAccess second, first;  // as printed: the later one in this run comes first
  std::optional<ReportHandOver> handOver;
  std::optional<ReportSchedule> schedule;
  bool unwitnessed = false;  // a prediction that no schedule was found for
  ReportLocation location;
  std::vector<ReportMutex> mutexes;
  std::vector<ReportThread> threads;
};

inline const char* nameOf(Report::Kind kind) {
  switch (kind) {
    case Report::Kind::DataRace:
      return "data race";
    case Report::Kind::PredictedDataRace:
      return "predicted data race";
    case Report::Kind::LocksetViolation:
      return "lockset violation";
  }
  return "";
}

}  // namespace predrace

#endif  // PREDRACE_REPORT_RECORD_H
