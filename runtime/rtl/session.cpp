// The session's life, from the program's side.
//
// It begins as private memory: a program that never creates a thread needs no
// engine, no descriptor and no shared memory, and its forked children inherit a
// copy. Only when the engine starts do its pages move into a memfd, at the same
// addresses.
#include <fcntl.h>
#include <linux/memfd.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "runtime/flags.h"
#include "runtime/rtl/engine_process.h"
#include "runtime/rtl/rtl.h"
#include "runtime/rtl/shadow.h"
#include "runtime/rtl/syscall.h"
#include "sanitizer_common/sanitizer_file.h"
#include "sanitizer_common/sanitizer_flags.h"
#include "sanitizer_common/sanitizer_posix.h"

extern "C" SANITIZER_WEAK_ATTRIBUTE const char __predrace_engine_path[];

namespace __predrace {

using predrace::Session;

predrace::Session* session;
atomic_uint32_t runState;

static void setState(RunState s) { atomic_store(&runState, static_cast<u32>(s), memory_order_release); }

void giveUp(const char* format, ...) {
  if (state() == RunState::Off) return;
  setState(RunState::Off);
  char text[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof(text), format, args);
  va_end(args);
  Report("PredRace: WARNING: %s\n", text);
}

// Maps private zero pages for the whole session, anywhere or over the old one.
static bool mapPrivate(void* at) {
  uptr p = sys(SYS_mmap, at, predrace::kSessionBytes, PROT_READ | PROT_WRITE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (at ? MAP_FIXED : 0), -1, 0);
  if (failed(p)) return false;
  session = reinterpret_cast<Session*>(p);
  return true;
}

static void fillHeader(u32 mainThread) {
  session->magic = predrace::kSessionMagic;
  session->version = predrace::kSessionVersion;
  session->pid = internal_getpid();
  session->mainThread = mainThread;
}

bool openSession() {
  if (!mapPrivate(nullptr)) return false;
  fillHeader(0);
  session->contextCount = 1;  // node 0 is the root
  ReadBinaryNameCached(session->program, sizeof(session->program));
  setState(RunState::Alone);
  return true;
}

static bool writeAll(int fd, const void* data, uptr bytes, uptr offset) {
  while (bytes) {
    uptr n = sys(SYS_pwrite64, fd, data, bytes, offset);
    if (failed(n) || n == 0) return false;
    data = static_cast<const char*>(data) + n;
    bytes -= n;
    offset += n;
  }
  return true;
}

// Moves the session's pages into a memfd. Returns its descriptor, or -1.
static int shareSession() {
  uptr fd = sys(SYS_memfd_create, "predrace", MFD_CLOEXEC);
  if (failed(fd)) return -1;
  rlimit limit;
  // Growing a file beyond this limit would send SIGXFSZ.
  bool mayGrow = getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur >= predrace::kSessionBytes;
  predrace::Ring* ring = predrace::ringOf(session, 0);
  uptr ringOffset = reinterpret_cast<uptr>(ring) - reinterpret_cast<uptr>(session);
  uptr ringUsed =
      offsetof(predrace::Ring, slots) + Min(ring->head, predrace::kRingSlots) * sizeof(predrace::Slot);
  bool ok = mayGrow && !failed(sys(SYS_ftruncate, fd, predrace::kSessionBytes)) &&
            writeAll(fd, session, sizeof(Session), 0) &&
            writeAll(fd, predrace::modulesOf(session), session->modulesLength, predrace::kModulesOffset) &&
            writeAll(fd, predrace::contextsOf(session), session->contextCount * sizeof(predrace::ContextNode),
                     predrace::kContextsOffset) &&
            writeAll(fd, ring, ringUsed, ringOffset) &&
            !failed(sys(SYS_mmap, session, predrace::kSessionBytes, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_FIXED | MAP_NORESERVE, fd, 0));
  if (ok) return static_cast<int>(fd);
  internal_close(fd);
  return -1;
}

void startEngine() {
  if (state() != RunState::Alone) return;
  const char* path = flags()->engine_path;
  if (!path[0] && &__predrace_engine_path) path = __predrace_engine_path;
  if (!FileExists(path)) {
    giveUp("the engine program '%s' is missing; the program runs unchecked", path);
    return;
  }
  tellModules();
  int fd = shareSession();
  if (fd < 0) {
    giveUp("cannot share memory with the engine process; the program runs unchecked");
    return;
  }
  int error = spawnEngine(path, fd);
  internal_close(fd);
  if (error) {
    giveUp("cannot start the engine program '%s' (error %d); the program runs unchecked", path, error);
    return;
  }
  setState(RunState::Running);
  ThreadState* t = self();
  nextSegment(t);
  tellHeldAlone(t);
}

void obeyHalt() {
  if (session->halt) internal__exit(common_flags()->exitcode);
}

int finalise(int status) {
  // A vfork child runs in our memory but must not end our session.
  if (!session || session->pid != internal_getpid()) return status;
  static atomic_uint32_t ended;
  if (state() == RunState::Running && atomic_exchange(&ended, 1, memory_order_acq_rel) == 0) {
    setState(RunState::Off);
    tellModules();  // what uninstrumented modules came late
    __atomic_store_n(&session->phase, static_cast<u32>(predrace::Phase::Finishing), __ATOMIC_SEQ_CST);
  }
  if (!atomic_load(&ended, memory_order_acquire)) return status;
  u64 begin = MonotonicNanoTime();
  bool said = !flags()->progress;
  while (!__atomic_load_n(&session->finished, __ATOMIC_ACQUIRE) && engineIsAlive()) {
    ringBell();
    futexWait(&session->finished, 0, 50);
    if (!said && MonotonicNanoTime() - begin > 1000000000ull) {
      said = true;
      RawWrite("PredRace: finishing the analysis...\n");
    }
  }
  if (!__atomic_load_n(&session->finished, __ATOMIC_ACQUIRE))
    RawWrite("PredRace: WARNING: the engine process died; this run was not checked to its end\n");
  // It says `finished` with its last breath; nobody should find it alive after us.
  while (engineIsAlive()) internal_sched_yield();
  return session->reports ? common_flags()->exitcode : status;
}

void finaliseAtExit() {
  if (finalise(0) == 0) return;
  fflush(nullptr);  // what exit() would do after us
  internal__exit(common_flags()->exitcode);
}

void afterForkChild() {
  if (!session || !self()) return;
  bool shared = state() == RunState::Running;
  ThreadState* t = self();
  if (shared) {
    // The pages are still the parent's: take a copy of what is ours, and fresh ones.
    uptr nodes = session->contextCount * sizeof(predrace::ContextNode);
    uptr bytes = RoundUpTo(sizeof(Session) + nodes, GetPageSizeCached());
    uptr p = sys(SYS_mmap, nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (failed(p)) {
      giveUp("no memory for a forked child; it runs unchecked");
      return;
    }
    auto* copy = reinterpret_cast<Session*>(p);
    internal_memcpy(copy, session, sizeof(Session));
    internal_memcpy(copy + 1, predrace::contextsOf(session), nodes);
    if (!mapPrivate(session)) internal__exit(1);  // the old pages are gone already
    internal_memcpy(session->options, copy->options, sizeof(session->options));
    internal_memcpy(session->symbolizer, copy->symbolizer, sizeof(session->symbolizer));
    internal_memcpy(session->program, copy->program, sizeof(session->program));
    session->contextCount = copy->contextCount;
    internal_memcpy(predrace::contextsOf(session), copy + 1, nodes);
    sys(SYS_munmap, copy, bytes);
    forgetModules();
    closeEnginePipes();
    clearShadow();
    restartTickets();
    restartSlots();
    setState(RunState::Alone);
    rememberHeldBy(t);
  }
  fillHeader(t->id);
  session->forked = 1;
}

}  // namespace __predrace
