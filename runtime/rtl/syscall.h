// Raw system calls. libc's wrappers are intercepted, touch errno, or (fork) run the
// program's handlers.
#ifndef PREDRACE_RTL_SYSCALL_H
#define PREDRACE_RTL_SYSCALL_H

#include <sys/syscall.h>

#include "sanitizer_common/sanitizer_common.h"

namespace __predrace {

using namespace __sanitizer;

// The kernel's answer: -errno if it failed.
template <class... Args>
ALWAYS_INLINE uptr sys(uptr number, Args... args) {
  uptr a[6] = {(uptr)args...};
  uptr result;
  register uptr r10 asm("r10") = a[3];
  register uptr r8 asm("r8") = a[4];
  register uptr r9 asm("r9") = a[5];
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(a[0]), "S"(a[1]), "d"(a[2]), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  return result;
}
ALWAYS_INLINE bool failed(uptr result) { return result > static_cast<uptr>(-4096); }

}  // namespace __predrace

#endif  // PREDRACE_RTL_SYSCALL_H
