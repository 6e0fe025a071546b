#include "runtime/report/text.h"

#include "absl/strings/str_cat.h"
#include "runtime/report/timeline.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_stacktrace_printer.h"
#include "sanitizer_common/sanitizer_symbolizer.h"

namespace predrace {
namespace {

constexpr const char* kRule = "==================\n";
constexpr const char *kBold = "\033[1m", *kRed = "\033[1m\033[31m", *kBlue = "\033[1m\033[34m",
                     *kGreen = "\033[1m\033[32m", *kCyan = "\033[1m\033[36m", *kPlain = "\033[0m";

// The sanitizer's own printer for one frame, so that stack_trace_format means what it always did.
std::string renderFrame(const Frame& frame, int number, const TextStyle& style) {
  __sanitizer::AddressInfo info;
  info.address = frame.pc;
  info.module = const_cast<char*>(frame.module.empty() ? nullptr : frame.module.c_str());
  info.module_offset = frame.offset;
  info.function = const_cast<char*>(frame.function.empty() ? nullptr : frame.function.c_str());
  info.file = const_cast<char*>(frame.file.empty() ? nullptr : frame.file.c_str());
  info.line = frame.line;
  info.column = frame.column;
  __sanitizer::InternalScopedString text;
  __sanitizer::StackTracePrinter::GetOrInit()->RenderFrame(&text, style.frameFormat.c_str(), number, frame.pc,
                                                           &info, false, style.stripPathPrefix.c_str());
  return text.data();
}

class Text {
 public:
  Text(const Report& report, const TextStyle& style) : r_(report), style_(style) {}

  std::string render() {
    out_ = kRule;
    line(kRed, absl::StrCat("WARNING: PredRace: ", title(), " (pid=", r_.pid, ")"));
    access(r_.second, false);
    access(r_.first, true);
    if (r_.handOver) handOver(*r_.handOver);
    if (r_.kind == Report::Kind::PredictedDataRace) {
      otherSchedule();
    } else if (r_.kind == Report::Kind::LocksetViolation) {
      out_ +=
          "  No lock was held at every access so far. This may be a race, or other order may prevent it.\n\n";
    }
    location(r_.location);
    for (const ReportMutex& m : r_.mutexes) mutex(m);
    for (const ReportThread& t : r_.threads) thread(t);
    if (style_.summary) summary();
    return out_ + kRule;
  }

 private:
  std::string title() const { return absl::StrCat(nameOf(r_.kind), r_.unwitnessed ? " (unwitnessed)" : ""); }
  void line(const char* colour, absl::string_view text) {
    if (style_.colour) {
      absl::StrAppend(&out_, colour, text, kPlain, "\n");
    } else {
      absl::StrAppend(&out_, text, "\n");
    }
  }
  void stack(const Stack& frames, const char* indent = "") {
    if (frames.empty()) absl::StrAppend(&out_, indent, "    [no stack]\n");
    int number = 0;
    for (const Frame& f : frames) absl::StrAppend(&out_, indent, renderFrame(f, number++, style_), "\n");
    out_ += "\n";
  }
  static std::string threadName(uint32_t id, bool main) {
    return main ? "main thread" : absl::StrCat("thread T", id);
  }
  static std::string shortName(uint32_t id, bool main) {
    return main ? "the main thread" : absl::StrCat("T", id);
  }

  void access(const ReportAccess& a, bool previous) {
    std::string what = absl::StrCat(a.atomic ? "atomic " : "", a.write ? "write" : "read");
    if (previous) {
      what = "Previous " + what;
    } else {
      what[0] = static_cast<char>(what[0] - 'a' + 'A');
    }
    std::string held;
    for (const ReportAccess::Held& h : a.held) {
      absl::StrAppend(&held, held.empty() ? " (mutexes: " : ", ", h.shared ? "read" : "write", " M", h.mutex);
    }
    if (!held.empty()) held += ")";
    line(kBlue,
         absl::StrCat("  ", what, " of size ", a.size, " at 0x", absl::Hex(a.address, absl::kZeroPad12),
                      " by ", threadName(a.thread, a.threadIsMain), held, ":"));
    stack(a.stack);
  }

  void handOver(const ReportHandOver& h) {
    std::string from = shortName(h.from, h.fromIsMain), to = shortName(h.to, h.toIsMain);
    line(kBold, absl::StrCat("  In this run the two were ordered only because ", from, " released mutex M",
                             h.mutex, " before ", to, " acquired it:"));
    capital(from);
    capital(to);
    absl::StrAppend(&out_, "    ", from, " released it here:\n");
    stack(h.release, "  ");
    absl::StrAppend(&out_, "    ", to, " acquired it here:\n");
    stack(h.acquire, "  ");
  }
  static void capital(std::string& s) {
    if (s[0] >= 'a' && s[0] <= 'z') s[0] = static_cast<char>(s[0] - 'a' + 'A');
  }

  std::string mutexName(uint32_t number) const {
    for (const ReportMutex& m : r_.mutexes) {
      if (m.number == number && !m.name.empty()) return absl::StrCat("'", m.name, "' (M", number, ")");
    }
    return absl::StrCat("M", number);
  }

  void otherSchedule() {
    if (r_.schedule) {
      line(kBold, absl::StrCat("  ", reason(),
                               "In this schedule of the same run, which was checked, the two are next to "
                               "each other:"));
      absl::StrAppend(&out_, renderTimeline(r_), "\n");
    } else if (r_.unwitnessed) {
      out_ += r_.handOver ? "  No" : "  In this run the two were ordered by lock hand-overs.\n  No";
      out_ +=
          " other schedule of the same run was found that brings the two together, so this may not be a "
          "race.\n\n";
    } else {
      out_ += r_.handOver ? "  Another" : "  In this run the two were ordered by lock hand-overs; another";
      out_ += " schedule of the same run executes them at the same time.\n\n";
    }
  }
  std::string reason() const {
    if (!r_.handOver) return "";
    const ReportHandOver& h = *r_.handOver;
    std::string to = shortName(h.to, h.toIsMain);
    capital(to);
    return absl::StrCat(to, " can take ", mutexName(h.mutex), " before ", shortName(h.from, h.fromIsMain),
                        " does. ");
  }

  void location(const ReportLocation& l) {
    std::string at = absl::StrCat("0x", absl::Hex(l.address, absl::kZeroPad12));
    std::string text;
    bool stacked = false;
    switch (l.kind) {
      case ReportLocation::Kind::Unknown:
        return;
      case ReportLocation::Kind::Global:
        text = absl::StrCat("global '", l.name, "' of size ", l.size, " at ", at, " (", baseName(l.module),
                            "+0x", absl::Hex(l.offset), ")");
        break;
      case ReportLocation::Kind::Heap:
        text = absl::StrCat("heap block of size ", l.size, " at ", at, " allocated by ",
                            threadName(l.thread, l.threadIsMain), ":");
        stacked = true;
        break;
      case ReportLocation::Kind::Mapping:
        text = absl::StrCat("memory mapping of size ", l.size, " at ", at, " made by ",
                            threadName(l.thread, l.threadIsMain), ":");
        stacked = true;
        break;
      case ReportLocation::Kind::Stack:
        text = absl::StrCat("stack of ", threadName(l.thread, l.threadIsMain), ".");
        break;
      case ReportLocation::Kind::Tls:
        text = absl::StrCat("TLS of ", threadName(l.thread, l.threadIsMain), ".");
        break;
    }
    line(kGreen, absl::StrCat("  Location is ", text));
    if (stacked) {
      stack(l.allocation);
    } else {
      out_ += "\n";
    }
  }
  static std::string baseName(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

  void mutex(const ReportMutex& m) {
    line(kCyan, absl::StrCat("  Mutex M", m.number, " (0x", absl::Hex(m.address, absl::kZeroPad12), ")",
                             m.creation.empty() ? "" : " created at:"));
    if (m.creation.empty()) {
      out_ += "\n";
    } else {
      stack(m.creation);
    }
  }

  void thread(const ReportThread& t) {
    if (t.main) return;
    std::string by = t.creator == kNobody
                         ? ""
                         : absl::StrCat(" created by ", threadName(t.creator, t.creatorIsMain), " at:");
    line(kCyan, absl::StrCat("  Thread T", t.id, " (", t.finished ? "finished" : "running", ")", by));
    if (by.empty()) {
      out_ += "\n";
    } else {
      stack(t.creation);
    }
  }

  void summary() {
    std::string where = "??";
    if (!r_.second.stack.empty()) {
      const Frame& top = r_.second.stack.front();
      __sanitizer::InternalScopedString text;
      __sanitizer::StackTracePrinter* printer = __sanitizer::StackTracePrinter::GetOrInit();
      if (!top.file.empty()) {
        printer->RenderSourceLocation(&text, top.file.c_str(), top.line, top.column, false,
                                      style_.stripPathPrefix.c_str());
      } else if (!top.module.empty()) {
        printer->RenderModuleLocation(&text, top.module.c_str(), top.offset, __sanitizer::kModuleArchUnknown,
                                      style_.stripPathPrefix.c_str());
      }
      where = text.length() != 0 ? text.data() : absl::StrCat("0x", absl::Hex(top.pc));
      if (!top.function.empty()) absl::StrAppend(&where, " in ", top.function);
    }
    absl::StrAppend(&out_, "SUMMARY: PredRace: ", title(), " ", where, "\n");
  }

  const Report& r_;
  const TextStyle& style_;
  std::string out_;
};

}  // namespace

std::string renderText(const Report& report, const TextStyle& style) { return Text(report, style).render(); }

}  // namespace predrace
