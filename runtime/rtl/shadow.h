// Shadow: for each granule of the program's memory, who accessed which of its bytes
// last, in which segment (layout: llvm-pass/Callbacks.inc).
//
// A granule has two words; threads in even slots use one, threads in odd slots the
// other. A thread looks at its own word only: what others did meanwhile does not
// matter for what it may leave out (access.cpp). So two threads that read the same
// data, or neighbouring bytes, do not push each other out; measured 2026-11-18,
// tools/bench's pointer_chasing with 100 rounds: 1.3M records and 0.41 s, with
// one word for all threads 26.6M records and 1.58 s.
//
// The words of address p are at base + 2 * (p & mask), with mask = 2^44 - 8. The
// 32 TiB that this reserves (and mostly never touches) may lie anywhere: no
// fixed address layout. Two addresses share a word only if they are a multiple
// of 2^44 apart; Linux puts programs, their mappings and their stacks into three
// areas that do not meet modulo 2^44 (with and without PIE and ASLR), and the
// reservation itself keeps mappings that grow downwards from doing so. Should it
// happen all the same, an access may be dropped that was not redundant: a race
// may be missed, none is invented, since records carry whole addresses.
#ifndef PREDRACE_RTL_SHADOW_H
#define PREDRACE_RTL_SHADOW_H

#include "runtime/rtl/thread_state.h"

namespace __predrace {

constexpr u64 kShadowWords = 2;
constexpr u64 kShadowMask = (1ull << 44) - 8;
// And a page, for checks that look at the granules behind the last one's.
constexpr u64 kShadowBytes = (kShadowWords << 44) + 4096;

extern u64 shadowBase;

// The calling thread's word.
ALWAYS_INLINE u64* shadowOf(uptr p) {
  return reinterpret_cast<u64*>(__predrace_thread.shadow + kShadowWords * (p & __predrace_thread.mask));
}

// Reserves the shadow. False if the address space is too small for it.
bool reserveShadow();
// Forgets all of it: a forked child starts afresh.
void clearShadow();

}  // namespace __predrace

#endif  // PREDRACE_RTL_SHADOW_H
