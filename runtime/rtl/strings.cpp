// Memory and string functions: the accesses they make for instrumented callers,
// and the pass's own memory intrinsics.
//
// What is told is what the function must read to know its result: up to the
// terminator, the first difference or the character found, not what a vectorised
// implementation touches besides.
//
// They may run before initialisation (the dynamic linker, resolvers), when there
// is no real function yet: sanitizer_common's plain ones serve until then.
#include "runtime/rtl/interceptors.h"

namespace __predrace {

namespace {

// Whether the accesses of a call from pc are told.
ALWAYS_INLINE bool isJudged(uptr pc) { return UNLIKELY(state() == RunState::Running) && isInstrumented(pc); }

// Tells an access to each area that is not empty. REQUIRES: isJudged(pc).
void tell(const void* to, uptr written, const void* from, uptr read, uptr pc) {
  Call call(pc);
  if (!call.tells()) return;
  if (read) accessRange(call.thread(), false, reinterpret_cast<uptr>(from), read, pc);
  if (written) accessRange(call.thread(), true, reinterpret_cast<uptr>(to), written, pc);
}

ALWAYS_INLINE void tellRead(const void* p, uptr size, uptr pc) {
  if (isJudged(pc)) tell(nullptr, 0, p, size, pc);
}

ALWAYS_INLINE void tellWrite(const void* p, uptr size, uptr pc) {
  if (isJudged(pc)) tell(p, size, nullptr, 0, pc);
}

ALWAYS_INLINE void tellCopy(const void* to, const void* from, uptr size, uptr pc) {
  if (isJudged(pc)) tell(to, size, from, size, pc);
}

// Copies of up to 16 bytes: two overlapping words, both read before either is
// written, so that the areas may overlap too.
template <class Word>
ALWAYS_INLINE void copyTwoWords(char* to, const char* from, uptr size) {
  struct __attribute__((packed, may_alias)) Unaligned {
    Word word;
  };
  Word first = reinterpret_cast<const Unaligned*>(from)->word;
  Word last = reinterpret_cast<const Unaligned*>(from + size - sizeof(Word))->word;
  reinterpret_cast<Unaligned*>(to)->word = first;
  reinterpret_cast<Unaligned*>(to + size - sizeof(Word))->word = last;
}

ALWAYS_INLINE bool copySmall(void* to, const void* from, uptr size) {
  auto* t = static_cast<char*>(to);
  auto* f = static_cast<const char*>(from);
  if (size > 16) return false;
  if (size >= 8) {
    copyTwoWords<u64>(t, f, size);
  } else if (size >= 4) {
    copyTwoWords<u32>(t, f, size);
  } else if (size >= 2) {
    copyTwoWords<u16>(t, f, size);
  } else if (size == 1) {
    *t = *f;
  }
  return true;
}

// How many bytes a comparison reads of each side: up to the first difference, or
// the terminator if `text`.
uptr comparedBytes(const void* a, const void* b, uptr limit, bool text) {
  auto* p = static_cast<const char*>(a);
  auto* q = static_cast<const char*>(b);
  for (uptr i = 0; i < limit; ++i)
    if (p[i] != q[i] || (text && !p[i])) return i + 1;
  return limit;
}

// Looks at the memory before the thread is inside the runtime: should it not be
// there, the program's own handler of the fault finds an ordinary thread.
void tellComparison(const void* a, const void* b, uptr limit, bool text, uptr pc) {
  if (LIKELY(!isJudged(pc))) return;
  uptr size = comparedBytes(a, b, limit, text);
  tell(nullptr, 0, a, size, pc);
  tell(nullptr, 0, b, size, pc);
}

}  // namespace

}  // namespace __predrace

using namespace __predrace;

// The real function, or the plain one that is there before it.
#define PREDRACE_CALL(name, ...) (LIKELY(REAL(name)) ? REAL(name)(__VA_ARGS__) : internal_##name(__VA_ARGS__))

// ---- memory ------------------------------------------------------------------------------

INTERCEPTOR(void*, memcpy, void* to, const void* from, SIZE_T size) {
  tellCopy(to, from, size, GET_CALLER_PC());
  return PREDRACE_CALL(memcpy, to, from, size);
}

INTERCEPTOR(void*, memmove, void* to, const void* from, SIZE_T size) {
  tellCopy(to, from, size, GET_CALLER_PC());
  return PREDRACE_CALL(memmove, to, from, size);
}

INTERCEPTOR(void*, memset, void* to, int value, SIZE_T size) {
  tellWrite(to, size, GET_CALLER_PC());
  return PREDRACE_CALL(memset, to, value, size);
}

INTERCEPTOR(int, memcmp, const void* a, const void* b, SIZE_T size) {
  tellComparison(a, b, size, false, GET_CALLER_PC());
  return PREDRACE_CALL(memcmp, a, b, size);
}

INTERCEPTOR(void*, memchr, const void* s, int c, SIZE_T size) {
  void* found = PREDRACE_CALL(memchr, s, c, size);
  tellRead(s, found ? static_cast<char*>(found) - static_cast<const char*>(s) + 1 : size, GET_CALLER_PC());
  return found;
}

INTERCEPTOR(void, bcopy, const void* from, void* to, SIZE_T size) {
  tellCopy(to, from, size, GET_CALLER_PC());
  REAL(bcopy)(from, to, size);
}

INTERCEPTOR(void, bzero, void* to, SIZE_T size) {
  tellWrite(to, size, GET_CALLER_PC());
  REAL(bzero)(to, size);
}

INTERCEPTOR(void*, __memcpy_chk, void* to, const void* from, SIZE_T size, SIZE_T room) {
  tellCopy(to, from, size, GET_CALLER_PC());
  return REAL(__memcpy_chk)(to, from, size, room);
}

INTERCEPTOR(void*, __memmove_chk, void* to, const void* from, SIZE_T size, SIZE_T room) {
  tellCopy(to, from, size, GET_CALLER_PC());
  return REAL(__memmove_chk)(to, from, size, room);
}

INTERCEPTOR(void*, __memset_chk, void* to, int value, SIZE_T size, SIZE_T room) {
  tellWrite(to, size, GET_CALLER_PC());
  return REAL(__memset_chk)(to, value, size, room);
}

// ---- strings: reading --------------------------------------------------------------------

INTERCEPTOR(SIZE_T, strlen, const char* s) {
  SIZE_T length = PREDRACE_CALL(strlen, s);
  tellRead(s, length + 1, GET_CALLER_PC());
  return length;
}

INTERCEPTOR(SIZE_T, strnlen, const char* s, SIZE_T limit) {
  SIZE_T length = PREDRACE_CALL(strnlen, s, limit);
  tellRead(s, Min(length + 1, limit), GET_CALLER_PC());
  return length;
}

INTERCEPTOR(int, strcmp, const char* a, const char* b) {
  tellComparison(a, b, ~0ull, true, GET_CALLER_PC());
  return PREDRACE_CALL(strcmp, a, b);
}

INTERCEPTOR(int, strncmp, const char* a, const char* b, SIZE_T limit) {
  tellComparison(a, b, limit, true, GET_CALLER_PC());
  return PREDRACE_CALL(strncmp, a, b, limit);
}

INTERCEPTOR(char*, strchr, const char* s, int c) {
  char* found = PREDRACE_CALL(strchr, s, c);
  if (isJudged(GET_CALLER_PC())) tellRead(s, (found ? found - s : internal_strlen(s)) + 1, GET_CALLER_PC());
  return found;
}

INTERCEPTOR(char*, strrchr, const char* s, int c) {
  if (isJudged(GET_CALLER_PC())) tellRead(s, internal_strlen(s) + 1, GET_CALLER_PC());
  return PREDRACE_CALL(strrchr, s, c);
}

INTERCEPTOR(char*, strstr, const char* s, const char* needle) {
  char* found = PREDRACE_CALL(strstr, s, needle);
  if (isJudged(GET_CALLER_PC())) {
    uptr length = internal_strlen(needle);
    tellRead(s, found ? found - s + length : internal_strlen(s) + 1, GET_CALLER_PC());
    tellRead(needle, length + 1, GET_CALLER_PC());
  }
  return found;
}

// ---- strings: writing --------------------------------------------------------------------

namespace __predrace {

namespace {

// A copy with its terminator.
ALWAYS_INLINE void tellStringCopy(const char* to, const char* from, uptr pc) {
  if (isJudged(pc)) tellCopy(to, from, internal_strlen(from) + 1, pc);
}

// strncpy writes all of its target.
ALWAYS_INLINE void tellBoundedCopy(const char* to, const char* from, uptr size, uptr pc) {
  if (LIKELY(!isJudged(pc))) return;
  tellRead(from, Min(internal_strnlen(from, size) + 1, size), pc);
  tellWrite(to, size, pc);
}

// At most `limit` characters and a terminator behind the target's own text.
void tellAppend(const char* to, const char* from, uptr limit, uptr pc) {
  if (LIKELY(!isJudged(pc))) return;
  uptr before = internal_strlen(to), length = internal_strnlen(from, limit);
  tellRead(to, before + 1, pc);
  tellRead(from, length == limit ? limit : length + 1, pc);
  tellWrite(to + before, length + 1, pc);
}

}  // namespace

}  // namespace __predrace

INTERCEPTOR(char*, strcpy, char* to, const char* from) {
  tellStringCopy(to, from, GET_CALLER_PC());
  return REAL(strcpy)(to, from);
}

INTERCEPTOR(char*, stpcpy, char* to, const char* from) {
  tellStringCopy(to, from, GET_CALLER_PC());
  return REAL(stpcpy)(to, from);
}

INTERCEPTOR(char*, __strcpy_chk, char* to, const char* from, SIZE_T room) {
  tellStringCopy(to, from, GET_CALLER_PC());
  return REAL(__strcpy_chk)(to, from, room);
}

INTERCEPTOR(char*, strncpy, char* to, const char* from, SIZE_T size) {
  tellBoundedCopy(to, from, size, GET_CALLER_PC());
  return PREDRACE_CALL(strncpy, to, from, size);
}

INTERCEPTOR(char*, __strncpy_chk, char* to, const char* from, SIZE_T size, SIZE_T room) {
  tellBoundedCopy(to, from, size, GET_CALLER_PC());
  return REAL(__strncpy_chk)(to, from, size, room);
}

INTERCEPTOR(char*, strcat, char* to, const char* from) {
  tellAppend(to, from, ~0ull, GET_CALLER_PC());
  return REAL(strcat)(to, from);
}

INTERCEPTOR(char*, __strcat_chk, char* to, const char* from, SIZE_T room) {
  tellAppend(to, from, ~0ull, GET_CALLER_PC());
  return REAL(__strcat_chk)(to, from, room);
}

INTERCEPTOR(char*, strncat, char* to, const char* from, SIZE_T limit) {
  tellAppend(to, from, limit, GET_CALLER_PC());
  return PREDRACE_CALL(strncat, to, from, limit);
}

INTERCEPTOR(char*, __strncat_chk, char* to, const char* from, SIZE_T limit, SIZE_T room) {
  tellAppend(to, from, limit, GET_CALLER_PC());
  return REAL(__strncat_chk)(to, from, limit, room);
}

INTERCEPTOR(char*, strdup, const char* s) {
  if (isJudged(GET_CALLER_PC())) tellRead(s, internal_strlen(s) + 1, GET_CALLER_PC());
  setApiPc(GET_CALLER_PC());
  return REAL(strdup)(s);
}

INTERCEPTOR(char*, strndup, const char* s, SIZE_T limit) {
  if (isJudged(GET_CALLER_PC())) tellRead(s, Min(internal_strnlen(s, limit) + 1, limit), GET_CALLER_PC());
  setApiPc(GET_CALLER_PC());
  return REAL(strndup)(s, limit);
}

// ---- the pass's intrinsics: all callers are instrumented -------------------------------------

#define PREDRACE_EXPORT extern "C" __attribute__((visibility("default")))

PREDRACE_EXPORT void* __predrace_memcpy(void* to, const void* from, u64 size) {
  if (state() == RunState::Running) tell(to, size, from, size, GET_CALLER_PC());
  if (copySmall(to, from, size)) return to;
  return PREDRACE_CALL(memcpy, to, from, size);
}

PREDRACE_EXPORT void* __predrace_memmove(void* to, const void* from, u64 size) {
  if (state() == RunState::Running) tell(to, size, from, size, GET_CALLER_PC());
  if (copySmall(to, from, size)) return to;
  return PREDRACE_CALL(memmove, to, from, size);
}

PREDRACE_EXPORT void* __predrace_memset(void* to, int value, u64 size) {
  if (state() == RunState::Running) tell(to, size, nullptr, 0, GET_CALLER_PC());
  return PREDRACE_CALL(memset, to, value, size);
}
