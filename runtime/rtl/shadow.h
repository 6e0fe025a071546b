// Shadow: one word for each granule of the program's memory, saying who accessed
// which of its bytes last, in which segment (layout: llvm-pass/Callbacks.inc).
//
// The shadow of address p is at base + (p & mask), with mask = 2^44 - 8. The
// 16 TiB that this reserves (and mostly never touches) may lie anywhere: no
// fixed address layout. Two addresses share a word only if they are a multiple
// of 2^44 apart; Linux puts programs, their mappings and their stacks into three
// areas that do not meet modulo 2^44 (measured with and without PIE and ASLR),
// and the reservation itself keeps mappings that grow downwards from doing so.
// Should it happen all the same, an access may be dropped that was not
// redundant: a race may be missed, none is invented, since records carry whole
// addresses.
#ifndef PREDRACE_RTL_SHADOW_H
#define PREDRACE_RTL_SHADOW_H

#include "sanitizer_common/sanitizer_common.h"

namespace __predrace {

using namespace __sanitizer;

struct ShadowMap {
  u64 base, mask;
};
constexpr u64 kShadowBytes = 1ull << 44;

extern "C" __attribute__((visibility("default"))) ShadowMap __predrace_shadow;

ALWAYS_INLINE u64* shadowOf(uptr p) {
  return reinterpret_cast<u64*>(__predrace_shadow.base + (p & __predrace_shadow.mask));
}

// Reserves the shadow. False if the address space is too small for it (the
// one-word shadow that every program starts with stays in force).
bool reserveShadow();
// Forgets all of it: a forked child starts afresh.
void clearShadow();

}  // namespace __predrace

#endif  // PREDRACE_RTL_SHADOW_H
