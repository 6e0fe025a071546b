#include "runtime/rtl/shadow.h"

#include <sys/mman.h>

#include "runtime/rtl/syscall.h"

namespace __predrace {

u64 shadowBase;

bool reserveShadow() {
  // Not MmapNoReserveOrDie: the user's program must go on if this fails.
  uptr p = sys(SYS_mmap, nullptr, kShadowBytes, PROT_READ | PROT_WRITE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (failed(p)) return false;
  sys(SYS_madvise, p, kShadowBytes, MADV_DONTDUMP);
  sys(SYS_madvise, p, kShadowBytes, MADV_NOHUGEPAGE);
  shadowBase = p;
  return true;
}

void clearShadow() { sys(SYS_madvise, shadowBase, kShadowBytes, MADV_DONTNEED); }

}  // namespace __predrace
