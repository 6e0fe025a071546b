// Starting up: before any of the program's own code.
#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "runtime/flags.h"
#include "runtime/rtl/engine_process.h"
#include "runtime/rtl/interceptors.h"
#include "runtime/rtl/rtl.h"
#include "runtime/rtl/shadow.h"
#include "sanitizer_common/sanitizer_file.h"
#include "sanitizer_common/sanitizer_flags.h"

extern "C" SANITIZER_WEAK_ATTRIBUTE const char __predrace_symbolizer_path[];
// A program may bring its own defaults for PREDRACE_OPTIONS.
extern "C" SANITIZER_WEAK_ATTRIBUTE const char* __predrace_default_options();

namespace __predrace {

bool initialised;
bool filterAccesses;

namespace {

const char* const kOptionNames[] = {
#define COMMON_FLAG(type, name, init, what) #name,
#include "sanitizer_common/sanitizer_flags.inc"
#undef COMMON_FLAG
#define PREDRACE_FLAG(type, name, init, what) #name,
#include "runtime/flags.inc"
    "include",
    "include_if_exists",
};

bool isOption(const char* key, uptr length) {
  for (const char* name : kOptionNames)
    if (internal_strlen(name) == length && internal_strncmp(name, key, length) == 0) return true;
  return false;
}

bool isSeparator(char c) { return c && internal_strchr(" ,:\n\t\r", c); }

// One line for each key that nobody knows. (sanitizer_common's own report of them
// comes after all are parsed, in several lines, and not under every verbosity.)
void reportUnknownOptions(const char* text) {
  while (*text) {
    while (isSeparator(*text)) ++text;
    const char* key = text;
    while (*text && *text != '=' && !isSeparator(*text)) ++text;
    if (text > key && !isOption(key, text - key))
      Report("PredRace: WARNING: unknown option '%.*s' in PREDRACE_OPTIONS (help=1 lists all)\n",
             static_cast<int>(text - key), key);
    if (*text != '=') continue;
    char quote = *++text == '"' || *text == '\'' ? *text++ : 0;
    while (*text && (quote ? *text != quote : !isSeparator(*text))) ++text;
    if (*text && quote) ++text;
  }
}

void parseOptions(InternalScopedString* text) {
  if (&__predrace_default_options) text->Append(__predrace_default_options());
  if (const char* env = GetEnv("PREDRACE_OPTIONS")) {
    text->Append(":");
    text->Append(env);
    reportUnknownOptions(env);
  }
  ParseFlags(text->data(), "PREDRACE_OPTIONS");
  InitializeCommonFlags();
  filterAccesses = flags()->filter;
  if (common_flags()->help) {
    FlagParser parser;
    RegisterFlags(&parser, flags());
    RegisterCommonFlags(&parser);
    parser.PrintFlagDescriptions();
  }
}

bool existsBesideProgram(const char* name) {
  char path[2 * kMaxPathLength];
  ReadBinaryNameCached(path, kMaxPathLength);
  char* slash = internal_strrchr(path, '/');
  if (name[0] == '/' || !slash) return false;
  internal_strlcpy(slash + 1, name, kMaxPathLength);
  return FileExists(path);
}

// What the user asked for must be possible, or the run would not mean what they think.
void checkOptions() {
  const char* suppressions = flags()->suppressions;
  if (suppressions[0] && !FileExists(suppressions) && !existsBesideProgram(suppressions)) {
    Report("PredRace: ERROR: cannot read the suppressions file '%s'\n", suppressions);
    internal__exit(1);
  }
}

uptr mainFrameBytes() {
  rlimit limit;
  uptr bytes = getrlimit(RLIMIT_STACK, &limit) == 0 ? limit.rlim_cur : 0;
  return Min(Max(bytes, static_cast<uptr>(64) << 20), static_cast<uptr>(1) << 30);
}

}  // namespace

void initialise() {
  if (initialised) return;
  initialised = true;
  SanitizerToolName = "PredRace";
  CacheBinaryName();
  InternalScopedString options;
  parseOptions(&options);
  checkOptions();
  interceptAll();
  if (options.length() >= predrace::kOptionsBytes) {
    Report("PredRace: ERROR: PREDRACE_OPTIONS is longer than %zu bytes\n",
           static_cast<uptr>(predrace::kOptionsBytes));
    internal__exit(1);
  }
  if (!reserveShadow() || !openSession()) {
    RawWrite(
        "PredRace: WARNING: not enough address space (is `ulimit -v` set?); the program runs unchecked\n");
    return;
  }
  internal_strlcpy(session->options, options.data(), sizeof(session->options));
  if (&__predrace_symbolizer_path)
    internal_strlcpy(session->symbolizer, __predrace_symbolizer_path, sizeof(session->symbolizer));
  initialiseObjects();
  ThreadState* t = takeSlot(0, newObject(ObjectKind::Thread)->id, mainFrameBytes());
  if (!t) {
    giveUp("not enough memory for the main thread's frames; the program runs unchecked");
    return;
  }
  enterThread(t);
  tellMainMemory();
  atexit(finaliseAtExit);
  // Whoever records wants all of the run, also what one thread did alone.
  if (flags()->record[0]) startEngine();
}

}  // namespace __predrace

extern "C" {
// Referenced by the constructor that clang's own pass leaves in each module.
__attribute__((visibility("default"))) void __tsan_init() { __predrace::initialise(); }

__attribute__((section(".preinit_array"), used)) static void (*predracePreinit)() = __predrace::initialise;
}
