// predrace-engine: the companion process that analyses a running program.
//
// Started by the runtime inside the program (session.h says with which file
// descriptors), never by people. Linked statically: it starts in half a
// millisecond, and nothing in the program's environment can break it.
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <exception>
#include <fstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "runtime/flags.h"
#include "runtime/wire/session.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_flags.h"
#include "tools/engine/service.h"

namespace predrace {
namespace {

void say(absl::string_view text) { Output(nullptr, 0).line(text); }

// Signals meant for the program reach its whole process group; the engine must
// outlive the program.
void detach() {
  setsid();
  for (int s : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) signal(s, SIG_IGN);
  for (int fd : {kSessionFd, kProgramPipeFd, kEnginePipeFd}) fcntl(fd, F_SETFD, FD_CLOEXEC);
  // sanitizer_common closes every possible descriptor, one by one, when it starts
  // llvm-symbolizer.
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur > 64) {
    files.rlim_cur = 64;
    setrlimit(RLIMIT_NOFILE, &files);
  }
}

// Null, and a line was printed, if there is no session to serve.
Session* mapSession() {
  struct {
    uint32_t magic, version;
  } head{};
  static_assert(offsetof(Session, magic) == 0 && offsetof(Session, version) == 4);
  if (pread(kSessionFd, &head, sizeof(head), 0) != sizeof(head) || head.magic != kSessionMagic) {
    say("predrace-engine is started by programs built with -fsanitize=predrace, not by hand");
    return nullptr;
  }
  if (head.version != kSessionVersion) {
    say(absl::StrCat("ERROR: this engine speaks version ", kSessionVersion, ", the program version ",
                     head.version, ": rebuild the program with this toolchain"));
    return nullptr;
  }
  struct stat file{};
  if (fstat(kSessionFd, &file) != 0 || static_cast<uint64_t>(file.st_size) < kSessionBytes) {
    say("ERROR: the session's memory is too small");
    return nullptr;
  }
  void* p = mmap(nullptr, kSessionBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, kSessionFd, 0);
  if (p == MAP_FAILED) {
    say(absl::StrCat("ERROR: the engine cannot map the session: ", std::strerror(errno)));
    return nullptr;
  }
  return static_cast<Session*>(p);
}

ReporterOptions reporterOptions(const Session* session, Output& output) {
  const __sanitizer::CommonFlags* common = __sanitizer::common_flags();
  ReporterOptions options;
  options.style.colour = output.colour(common->color);
  options.style.summary = common->print_summary;
  if (std::strcmp(common->stack_trace_format, "DEFAULT") != 0)
    options.style.frameFormat = common->stack_trace_format;
  options.style.stripPathPrefix = common->strip_path_prefix;
  options.haltOnError = __predrace::flags()->halt_on_error;
  const char* external = common->external_symbolizer_path;
  bool wanted = common->symbolize && (external == nullptr || external[0] != '\0');
  options.warnNoSymbolizer = wanted;
  if (wanted) {
    options.symbolizer = findProgram(
        {external == nullptr ? "" : external, session->symbolizer, "llvm-symbolizer-19", "llvm-symbolizer"});
  }
  return options;
}

void readSuppressions(const Session* session, Suppressions& suppressions, Output& output) {
  std::string path = __predrace::flags()->suppressions;
  if (path.empty()) return;
  if (path[0] != '/' && access(path.c_str(), R_OK) != 0) {  // beside the program, as other sanitizers have it
    std::string program = session->program;
    std::string beside = program.substr(0, program.find_last_of('/') + 1) + path;
    if (access(beside.c_str(), R_OK) == 0) path = beside;
  }
  std::string error = suppressions.parseFile(path);
  if (!error.empty()) output.line("ERROR: " + error);
}

// The engine that the user asked for; another, and a line, if that is not possible.
const EngineRow* chosenEngine(Output& output) {
  std::string name = __predrace::flags()->engine;
  const EngineRow* row = findEngine(name);
  if (row != nullptr && row->mode == Mode::Online) return row;
  std::string known;
  for (const EngineRow& r : engines())
    if (r.mode == Mode::Online) absl::StrAppend(&known, known.empty() ? "" : ", ", std::string(r.name));
  output.line(absl::StrCat(
      "WARNING: engine=", name,
      row != nullptr ? ": works on recorded traces only, with predrace analyze" : ": there is no such engine",
      "; using cp, one of ", known));
  return findEngine("cp");
}

Predict chosenPrediction(Output& output) {
  std::string value = __predrace::flags()->predict;
  if (value == "0") return Predict::Nothing;
  if (value == "cp") return Predict::Candidates;
  if (value != "osr" && value != "1")
    output.line(absl::StrCat("WARNING: predict=", value, ": expected osr, cp, 1 or 0; using osr"));
  return Predict::All;
}

uint64_t windowEntries(const __predrace::Flags& flags) {
  uint64_t entries = static_cast<uint64_t>(std::max(flags.window, 0));
  if (entries == 0) entries = (static_cast<uint64_t>(std::max(flags.window_mb, 0)) << 20) / sizeof(LogEntry);
  return std::max<uint64_t>(entries, 2);
}

bool wantsFullSchedule(Output& output) {
  std::string value = __predrace::flags()->schedule;
  if (value != "full" && value != "short")
    output.line(absl::StrCat("WARNING: schedule=", value, ": expected short or full; using short"));
  return value == "full";
}

// A forked child would write over its parent's file: f.std becomes f.PID.std.
std::string recordName(std::string name, const Session* session) {
  if (name.empty() || !session->forked) return name;
  size_t suffix = name.ends_with(".std") ? name.size() - 4 : name.size();
  return name.insert(suffix, "." + std::to_string(session->pid));
}

// llvm-symbolizer would end by itself once we are gone, but a moment after the
// program did.
void endChildren() {
  std::ifstream children(absl::StrCat("/proc/self/task/", getpid(), "/children"));
  for (pid_t child; children >> child;) {
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }
}

int serve() {
  // Chunks of the log come and go: their pages stay, instead of being cleared by the kernel each time.
  mallopt(M_MMAP_THRESHOLD, 64 << 20);
  mallopt(M_TRIM_THRESHOLD, 512 << 20);
  Session* session = mapSession();
  if (session == nullptr) return 1;
  detach();
  __predrace::ParseFlags(session->options, "PREDRACE_OPTIONS");
  Output output(__sanitizer::common_flags()->log_path, session->pid);
  Suppressions suppressions;
  readSuppressions(session, suppressions, output);
  const __predrace::Flags* flags = __predrace::flags();
  Pipeline pipeline(session, suppressions, output,
                    {.engine = chosenEngine(output),
                     .predict = chosenPrediction(output),
                     .window = windowEntries(*flags),
                     .exitBudget = static_cast<double>(std::max(flags->exit_budget_s, 0)),
                     .fullSchedule = wantsFullSchedule(output),
                     .reportUnwitnessed = flags->report_unwitnessed,
                     .record = recordName(flags->record, session),
                     .checkOnline = flags->check_online,
                     .memoryLimit = static_cast<uint64_t>(std::max(flags->memory_limit_mb, 0)) << 20,
                     .stats = flags->stats,
                     .printSuppressions = __sanitizer::common_flags()->print_suppressions,
                     .reporter = reporterOptions(session, output)});
  Service service(session, kProgramPipeFd, pipeline, output);
  service.run();
  endChildren();
  service.sayFinished();
  return 0;
}

}  // namespace
}  // namespace predrace

int main(int argc, char** argv) {
  __sanitizer::SanitizerToolName = "PredRace";
  if (argc > 1 && std::strcmp(argv[1], "--version") == 0) {
    std::string text =
        absl::StrCat("predrace-engine " PREDRACE_VERSION " (wire ", predrace::kSessionVersion, ")\n");
    return write(STDOUT_FILENO, text.data(), text.size()) < 0;
  }
  // No destructors at the end: the process is about to give all its memory back.
  try {
    _exit(predrace::serve());
  } catch (const std::exception& e) {
    predrace::say(absl::StrCat("ERROR: the engine gives up: ", e.what()));
    _exit(1);
  }
}
