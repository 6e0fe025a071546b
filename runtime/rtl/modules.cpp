// Modules: which code is where (for reports), and which of it is instrumented.
#include <elf.h>

#include "runtime/rtl/rtl.h"
#include "sanitizer_common/sanitizer_placement_new.h"

namespace __predrace {

namespace {

StaticSpinMutex modulesMutex;

// Load addresses of the modules whose lines are in the session.
constexpr unsigned kMaxModules = 4096;
uptr told[kMaxModules];
unsigned toldCount;

bool wasTold(uptr base) {
  for (unsigned i = 0; i < toldCount; ++i)
    if (told[i] == base) return true;
  return false;
}

// Code ranges of instrumented modules: written once each, never removed.
struct Range {
  uptr begin, end;
};
constexpr unsigned kMaxInstrumented = 1024;
Range instrumented[kMaxInstrumented];
atomic_uint32_t instrumentedCount;

}  // namespace

void tellModules() {
  SpinMutexLock lock(&modulesMutex);
  ListOfModules modules;
  modules.init();
  InternalScopedString text;
  for (const LoadedModule& module : modules) {
    if (wasTold(module.base_address()) || toldCount == kMaxModules) continue;
    told[toldCount++] = module.base_address();
    for (const auto& range : module.ranges())
      text.AppendF("%zx %zx %zx %d %s\n", range.beg, range.end, module.base_address(), range.executable,
                   module.full_name());
  }
  u32 length = session->modulesLength;
  if (length + text.length() > predrace::kModulesBytes) return;  // later modules' frames stay unnamed
  internal_memcpy(predrace::modulesOf(session) + length, text.data(), text.length());
  __atomic_store_n(&session->modulesLength, length + static_cast<u32>(text.length()), __ATOMIC_RELEASE);
}

void forgetModules() {
  modulesMutex.Init();
  toldCount = 0;
}

bool isInstrumented(uptr pc) {
  u32 count = atomic_load(&instrumentedCount, memory_order_acquire);
  for (u32 i = 0; i < count; ++i)
    if (pc - instrumented[i].begin < instrumented[i].end - instrumented[i].begin) return true;
  return false;
}

}  // namespace __predrace

using namespace __predrace;

// Called first by every instrumented module, for each of its object files.
extern "C" __attribute__((visibility("default"))) void __predrace_module_init(const Elf64_Ehdr* header) {
  initialise();
  auto* base = reinterpret_cast<const char*>(header);
  if (isInstrumented(reinterpret_cast<uptr>(base))) return;
  auto* segments = reinterpret_cast<const Elf64_Phdr*>(base + header->e_phoff);
  // The header is at the first segment's address: 0 in position-independent
  // modules, else where the module was linked to run.
  uptr first = ~0ull, last = 0;
  for (unsigned i = 0; i < header->e_phnum; ++i) {
    if (segments[i].p_type != PT_LOAD) continue;
    first = Min(first, static_cast<uptr>(segments[i].p_vaddr));
    last = Max(last, static_cast<uptr>(segments[i].p_vaddr + segments[i].p_memsz));
  }
  {
    SpinMutexLock lock(&modulesMutex);
    u32 count = atomic_load(&instrumentedCount, memory_order_relaxed);
    if (count == kMaxInstrumented || first >= last) return;
    uptr begin = reinterpret_cast<uptr>(base);
    instrumented[count] = {begin, begin + (last - RoundDownTo(first, GetPageSizeCached()))};
    atomic_store(&instrumentedCount, count + 1, memory_order_release);
  }
  if (state() == RunState::Running) tellModules();  // came with dlopen
}
