#include "runtime/rtl/shadow.h"

#include <sys/mman.h>

#include "runtime/rtl/syscall.h"

namespace __predrace {

// Before initialisation, and when the program runs unchecked, all addresses share
// this one word.
static u64 sharedWord;
extern "C" ShadowMap __predrace_shadow = {reinterpret_cast<u64>(&sharedWord), 0};

bool reserveShadow() {
  // Not MmapNoReserveOrDie: the user's program must go on if this fails.
  uptr p = sys(SYS_mmap, nullptr, kShadowBytes, PROT_READ | PROT_WRITE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (failed(p)) return false;
  sys(SYS_madvise, p, kShadowBytes, MADV_DONTDUMP);
  sys(SYS_madvise, p, kShadowBytes, MADV_NOHUGEPAGE);
  __predrace_shadow = {p, (kShadowBytes - 1) & ~7ull};
  return true;
}

void clearShadow() {
  if (__predrace_shadow.mask) sys(SYS_madvise, __predrace_shadow.base, kShadowBytes, MADV_DONTNEED);
}

}  // namespace __predrace
